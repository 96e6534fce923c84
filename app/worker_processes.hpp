#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// Processes that all run the same command. They do not outlive this object, nor, but for what
/// they do at SIGTERM, the thread that starts them.
class WorkerProcesses {
 public:
  /// A program, and its name and arguments.
  WorkerProcesses(std::string program, std::vector<std::string> words);

  /// One more: its id. It has our stdout and stderr, and is out of reach of a Ctrl-C at the
  /// terminal. Errors: io.
  [[nodiscard]] Result<std::int64_t> start();
  /// To the process alone, not to what it has started. Requires: it was not seen to end.
  static void signal(std::int64_t process, int signal);
  void signal_all(int signal) const;

  [[nodiscard]] bool empty() const { return children_.empty(); }
  /// Their ids.
  [[nodiscard]] std::set<std::int64_t> ids() const;
  /// Those that become readable when one has ended.
  [[nodiscard]] std::vector<int> files() const;
  /// One that has ended, and how.
  struct Ended {
    std::int64_t process = 0;
    command::Ending ending{};
  };
  /// Those that have since the last call.
  [[nodiscard]] std::vector<Ended> take_ended();

 private:
  std::string program_;
  std::vector<std::string> words_;
  std::map<std::int64_t, command::Child> children_;
};

}  // namespace artel::app
