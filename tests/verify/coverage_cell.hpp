#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/stat/interval.hpp"

namespace artel::verify {

/// Mean, p95 and p99 of the response.
struct Answers {
  stat::Interval mean, p95, p99;
};

/// An experiment that is done many times, to see how often its intervals hold the truth.
struct CoverageCell {
  std::string system;  ///< "M/M/1", "M/M/8", "JSQ(2)"
  double load = 0;
  /// Replications are added until the statistic is known that well; nothing: there are ten.
  std::optional<double> precision;
  scenario::Statistic precision_of = scenario::Statistic::mean;
  std::uint64_t tasks = 0;  ///< of a replication

  [[nodiscard]] std::string stop() const;  ///< in words: "mean to 5%"
  [[nodiscard]] std::string name() const;  ///< what tells it apart from the others
};

/// All of them, those that take least first.
[[nodiscard]] std::vector<CoverageCell> coverage_cells();

/// What one such experiment found.
struct CoverageRun {
  Answers answers;
  std::uint64_t replications = 0;
  double seconds = 0;  ///< that it took
};

/// Does it as `artel simulate` would, on one thread.
[[nodiscard]] CoverageRun run(const CoverageCell& cell, Seed seed);

/// What is true: a closed form; of JSQ(2) the long run that is kept in the file, with its
/// intervals.
/// Errors: the file's, or that it lacks that load.
[[nodiscard]] Result<Answers> truth_of(const CoverageCell& cell, const std::filesystem::path& file);

/// The long run of JSQ(2): as many tasks as 320 experiments of ten replications, in
/// replications ten times as long.
[[nodiscard]] CoverageRun reference_of(const CoverageCell& cell, Seed seed, unsigned jobs);

}  // namespace artel::verify
