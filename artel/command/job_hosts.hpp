#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace artel::command {

/// Where the jobs of a JobLoop run when their processes here only hand them on, as ssh does.
///
/// Threads: the loop's. No member waits.
class JobHosts {
 public:
  virtual ~JobHosts() = default;

  /// What is run here for this command at this slot, from 0; it ends as the command does.
  [[nodiscard]] virtual std::vector<std::string> via(
      std::size_t slot, const std::vector<std::string>& command) const = 0;
  /// For the job log.
  [[nodiscard]] virtual std::string name(std::size_t slot) const = 0;
  /// What jobs at this slot read; -1: /dev/null. It has to stay without end while they run.
  [[nodiscard]] virtual int input(std::size_t slot) const = 0;
  /// Whether the slot's host is out of reach, for good.
  [[nodiscard]] virtual bool is_lost(std::size_t slot) = 0;
  /// The same for a job that has ended with 255, as it does when its host has gone: that may just
  /// be happening.
  [[nodiscard]] virtual bool was_lost(std::size_t slot) = 0;
};

}  // namespace artel::command
