#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/ssh_hosts.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// Whether `artel map` runs its jobs over ssh, and at which hosts.
class MapSsh {
 public:
  /// This must live until the command line has been read.
  void add_options(Subcommand command);

  [[nodiscard]] bool asked() const { return !names_.empty() || !file_.empty(); }
  /// Whether the options make sense with that; reads the file. Errors: what cannot be done, and
  /// why.
  [[nodiscard]] Result<void> check(const command::JobLoopOptions& options);

  /// `jobs`: at each host that does not say how many itself; 0: as many as it has processors. Who
  /// connects and who is out of reach, `options` hears.
  /// Requires: asked(), and a check(). Errors: as of SshHosts::connect().
  [[nodiscard]] Result<std::unique_ptr<command::SshHosts>> connect(
      std::size_t jobs, const command::JobLoopOptions& options) const;

 private:
  [[nodiscard]] Result<void> read_hosts();

  std::vector<std::string> names_;
  std::string file_;
  std::vector<command::SshHost> hosts_;  // of both
};

}  // namespace artel::app
