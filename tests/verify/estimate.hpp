#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "artel/experiment/replication.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/interval.hpp"

namespace artel::verify {

/// One number of a replication: what is compared with theory.
using Measure = std::function<double(const experiment::Replication&)>;

/// How well a number has to be known.
struct Precision {
  double relative = 0.01;  ///< half-width of the 99% interval / value
  unsigned jobs = 2;
  std::uint32_t replications_min = 24;
  std::uint32_t replications_max =
      1U << 16U;  ///< M/M/32 at load 0.5 needs 23 000: few tasks wait there
};

struct Estimate {
  stat::Interval interval;
  std::uint32_t replications = 0;
};

/// Replicates the scenario's only policy until the measure is known that precisely (or
/// replications_max is reached). The first tenth of the tasks of every replication is left out.
/// What has been simulated stays in `replications`; those of the same scenario that are there
/// already serve first.
[[nodiscard]] Estimate estimate(const scenario::Scenario& scenario, const Measure& measure,
                                const Precision& precision,
                                std::vector<experiment::Replication>& replications);

/// The same, from nothing.
[[nodiscard]] Estimate estimate(const scenario::Scenario& scenario, const Measure& measure,
                                const Precision& precision);

}  // namespace artel::verify
