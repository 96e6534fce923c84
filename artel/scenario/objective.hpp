#pragma once

#include <cstdint>
#include <string>

namespace artel::scenario {

/// What is measured: seconds of response or wait per task, or the share of tasks turned away.
enum class Quantity : std::uint8_t { response, wait, rejected };
/// What of its distribution over all tasks; p999 is the 99.9th percentile.
enum class Statistic : std::uint8_t { mean, p50, p90, p95, p99, p999, max };

/// The statistic must not exceed the limit.
struct Objective {
  std::string name;  ///< as in the file: "p99_response"
  Quantity quantity = Quantity::response;
  Statistic statistic = Statistic::p99;
  double limit = 0;  ///< seconds; for rejected the share of all tasks
};

}  // namespace artel::scenario
