#pragma once

#include <memory>

#include "app/command_line.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// Whether `artel map` has its jobs run by a cluster, and by which. Where artel was built without
/// component cluster, --cluster is refused.
class MapCluster {
 public:
  MapCluster();

  /// Adds --cluster, --policy and what belongs to them; this must live until the command line has
  /// been read.
  void add_options(Subcommand command);

  [[nodiscard]] bool asked() const;

  /// Whether the options make sense together, on a cluster or without one.
  /// Errors: what cannot be done, and why.
  [[nodiscard]] Result<void> check(const command::JobLoopOptions& options,
                                   const command::CommandTemplate& command) const;

  /// As JobLoop::run(), with the jobs run by the workers of the cluster. `slots`: jobs at once, 0
  /// for as many as the workers take; with `--cluster local`, threads of its workers, 0 for
  /// usable_cpus().
  /// Requires: asked(), and options as check() allows.
  /// Errors: in the summary; those before the first job are returned.
  [[nodiscard]] Result<command::RunSummary> run(const command::CommandTemplate& command,
                                                command::InputItems& items,
                                                const command::JobLoopOptions& options) const;

 private:
  struct Flags;
  std::shared_ptr<Flags> flags_;
};

}  // namespace artel::app
