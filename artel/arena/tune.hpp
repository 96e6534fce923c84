#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/arena/parameter_range.hpp"
#include "artel/core/error.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/interval.hpp"

namespace artel::arena {

/// How a parameter is looked for.
struct TuneOptions {
  std::uint32_t replications = 10;  ///< of every value that was tried, on tasks held back
  unsigned jobs = 1;                ///< threads; results do not depend on it
  std::stop_token stop{};           ///< asked to stop: the result has no values
  /// Replications so far; from any thread, one call at a time.
  std::function<void(std::size_t done)> progress{};
};

/// A value that was tried.
struct TunedValue {
  double value = 0;
  std::string policy;        ///< text that makes the policy: "jsq(d=3)"
  stat::Interval held_back;  ///< cost on tasks that the search has not seen
  stat::Interval regret;     ///< there: held_back / that of the best value − 1
  bool worse = false;        ///< than the best value, beyond doubt: all values together
};

/// What was found.
struct TuneResult {
  std::vector<TunedValue> values;  ///< in order; empty: stopped
  std::size_t best = 0;            ///< which of them the search chose
  /// The best value lies from low to high: between the nearest values on both sides of `best` that
  /// are worse, or the ends of the range.
  double low = 0, high = 0;
  /// The policy that leaves the parameter to itself, on the tasks held back; nothing: it cannot.
  std::optional<TunedValue> fallback;
  bool complete = true;  ///< false: stopped
};

/// Finds the value of the parameter with which the policy costs least (see costs()).
///
/// Successive halving: up to 17 values meet the same tasks; the better half goes on with twice as
/// many, until three are left. Then the same between the neighbours of the best, twice, or until
/// all whole numbers there are known. What is reported comes from other tasks, drawn from a seed
/// apart, so that luck in the search does not look like merit. Where nothing is drawn (a recording)
/// there are no others.
/// Cost:   about 200 replications, and as many as options say of each of 31 values at most.
/// Errors: those of the policy at a value between. Requires: the policy can run in the scenario.
[[nodiscard]] Result<TuneResult> tune(const scenario::Scenario& scenario,
                                      const ParameterRange& range, const TuneOptions& options);

}  // namespace artel::arena
