#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "artel/stat/interval.hpp"

namespace artel::experiment {

/// A half-width of so much of the one that is wanted is precise by far. One that is just small
/// enough may be so by chance: the variance of few replications is known badly, and where they are
/// skewed, as responses are, it is small together with their mean.
/// Source: the coverage of sequential stops, measured: tests/verify/coverage.cpp.
inline constexpr double kByFar = 2.0 / 3;

/// The half-width as a multiple of the one that is wanted, `relative` of the centre; infinite if
/// the centre is not known.
[[nodiscard]] double off_by(const stat::Interval& interval, double relative);

/// The index of a pilot, which is none of the replications: the warm-up that it finds ends where
/// its own first bad spell does, and who leaves that out of the very same run measures too little.
inline constexpr std::uint32_t kPilot = std::numeric_limits<std::uint32_t>::max();

/// One replication of one contender (a policy, a variant of a model) at one point of a study.
struct ReplicationKey {
  std::size_t point = 0;
  std::size_t contender = 0;
  std::uint32_t index = 0;  ///< which replication; kPilot: the pilot
};

/// How many replications every contender at a point gets: `step` in each round, `max` at most.
struct ReplicationBounds {
  std::uint32_t step = 1;
  std::uint32_t max = 1;
};

/// An experiment as its rounds see it: what there is to run, what is known, when that is enough.
class ReplicatedExperiment {
 public:
  ReplicatedExperiment() = default;
  ReplicatedExperiment(const ReplicatedExperiment&) = delete;
  ReplicatedExperiment& operator=(const ReplicatedExperiment&) = delete;

  /// How many there are.
  [[nodiscard]] virtual std::size_t points() const = 0;
  /// How many are compared at that point.
  [[nodiscard]] virtual std::size_t contenders(std::size_t point) const = 0;
  /// How many replications each of them gets.
  [[nodiscard]] virtual ReplicationBounds bounds(std::size_t point) const = 0;
  /// Whether it is known already, or would tell nothing new.
  [[nodiscard]] virtual bool has(const ReplicationKey& key) const = 0;
  /// Whether the first `count` replications of every contender at that point, which are there, are
  /// enough: it is precise since the round before, or by far.
  [[nodiscard]] virtual bool precise(std::size_t point, std::uint32_t count) = 0;
  /// False once it was stopped or has failed.
  [[nodiscard]] virtual bool going() const = 0;
  /// Runs these, or fewer if it does not go on.
  virtual void replicate(const std::vector<ReplicationKey>& missing) = 0;

 protected:
  ~ReplicatedExperiment() = default;
};

/// Runs what is missing, then more at every point that is not precise, until all are or have the
/// most that they may. What is run does not depend on what was known at the beginning, so an
/// experiment that is resumed ends as one that was never stopped.
void replicate_in_rounds(ReplicatedExperiment& experiment);

}  // namespace artel::experiment
