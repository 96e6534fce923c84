#pragma once

#include <cstdint>
#include <string>

namespace artel::scenario {

/// What is measured: seconds of response or wait per task, or the share of tasks turned away, or
/// of those that went away unserved.
enum class Quantity : std::uint8_t { response, wait, rejected, abandoned };
/// What of its distribution over all tasks; p999 is the 99.9th percentile.
enum class Statistic : std::uint8_t { mean, p50, p90, p95, p99, p999, max };

/// Whether it is a share of the tasks, which has no statistics.
[[nodiscard]] constexpr bool is_share(Quantity quantity) {
  return quantity == Quantity::rejected || quantity == Quantity::abandoned;
}

/// The statistic must not exceed the limit.
struct Objective {
  std::string name;  ///< as in the file: "p99_response"
  Quantity quantity = Quantity::response;
  Statistic statistic = Statistic::p99;
  double limit = 0;  ///< seconds; for rejected and abandoned the share of all tasks
};

}  // namespace artel::scenario
