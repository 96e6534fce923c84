#pragma once

#include <optional>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"

namespace artel::app {

/// What an interrupted run of this study left in the JSON file at `path`; nothing where there is no
/// file, or another kind of one.
/// Errors: it is of another study or version of artel, or damaged; io.
[[nodiscard]] Result<std::optional<experiment::ExperimentResult>> interrupted_result(
    const scenario::Study& study, const std::string& path);

/// Writes what is known of an experiment into its JSON file, whole or not at all, every ten
/// seconds.
///
/// A failure is of no matter: it is told at the end, where the result itself is written.
/// Threads: one at a time.
class ResultKeeper {
 public:
  /// An empty path: does nothing. `study` must outlive the keeper.
  ResultKeeper(const scenario::Study& study, std::string path);

  /// For ExperimentOptions::checkpoint.
  void keep(const experiment::ExperimentResult& result);

 private:
  const scenario::Study& study_;
  std::string path_;
  Instant kept_ = steady_now();
};

}  // namespace artel::app
