#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace artel::scenario {

/// What is measured: seconds of response or wait per task, or the share of tasks turned away, of
/// those that went away unserved, or of those that failed: either of these, or answered after the
/// deadline.
enum class Quantity : std::uint8_t { response, wait, rejected, abandoned, failed };
/// What of its distribution over all tasks; p999 is the 99.9th percentile.
enum class Statistic : std::uint8_t { mean, p50, p90, p95, p99, p999, max };

/// Whether it is a share of the tasks, which has no statistics.
[[nodiscard]] constexpr bool is_share(Quantity quantity) { return quantity >= Quantity::rejected; }

/// The statistic must not exceed the limit.
struct Objective {
  std::string name;  ///< as in the file: "p99_response"
  Quantity quantity = Quantity::response;
  Statistic statistic = Statistic::p99;
  double limit = 0;  ///< seconds; for rejected, abandoned and failed the share of all tasks

  /// Whose tasks are meant.
  struct OfClass {
    std::size_t number = 0;  ///< of Workload::classes
    std::string name;
  };
  std::optional<OfClass> of_class{};  ///< nothing: all tasks
};

}  // namespace artel::scenario
