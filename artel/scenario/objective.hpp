#pragma once

#include <cstdint>
#include <string>

namespace artel::scenario {

enum class Quantity : std::uint8_t { response, wait, rejected };
enum class Statistic : std::uint8_t { mean, p50, p90, p95, p99, p999, max };

/// The statistic must not exceed the limit.
struct Objective {
  std::string name;  ///< as in the file: "p99_response"
  Quantity quantity = Quantity::response;
  Statistic statistic = Statistic::p99;
  double limit = 0;  ///< seconds; for rejected the share of all tasks
};

}  // namespace artel::scenario
