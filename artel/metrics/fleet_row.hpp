#pragma once

#include <optional>
#include <string>
#include <vector>

#include "artel/metrics/metrics_page.hpp"

namespace artel::metrics {

/// A pool, a worker or a master of a cluster, in figures; what is nothing is not known, or not yet.
struct FleetRow {
  std::string kind;                 ///< "pool", "worker", "master"
  std::string name;                 ///< of the pool; of a worker its id
  std::string pool;                 ///< of a worker and of a master
  std::optional<double> workers{};  ///< threads, those of all workers of a master
  std::optional<double>
      running{};  ///< being worked on now; of a master: sent, without an answer yet
  std::optional<double> queued{};  ///< waiting now
  std::optional<double> busy{};    ///< share of the workers' time, between the two looks
  std::optional<double> done{};    ///< per second, those that failed not
  std::optional<double> failed{};  ///< per second
  std::optional<double> mean_s{};  ///< of service
  std::optional<double> service_p50_s{}, service_p99_s{};  ///< from start to end
  std::optional<double> wait_p99_s{};                      ///< from submission to start
  bool draining = false;                                   ///< was asked to leave
};

/// What artel's own metrics say, of those that two looks at a program have; rates and quantiles
/// are of the time in between, and unknown without a look before. Pools come first, then masters,
/// then workers. Empty: no program of artel serves this page.
/// Requires: seconds > 0.
[[nodiscard]] std::vector<FleetRow> fleet_rows(const MetricsPage* before, const MetricsPage& now,
                                               double seconds);

}  // namespace artel::metrics
