#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/plan/plan.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

/// What a plan is asked for, in the words of `artel plan`; what is empty stays as the scenario has
/// it.
struct PlanRequest {
  std::vector<std::string> slo;        ///< "p99<80ms", "rejected<0.1%"
  std::vector<std::string> policies;   ///< labels or names of the scenario's, or "jsq(d=3)"
  std::vector<std::string> queues;     ///< bounds to try for each worker's queue: "4", "inf"
  std::string rate;                    ///< see change_rate()
  std::string price;                   ///< of a worker: "0.12/h"
  std::vector<std::string> scaling{};  ///< fleets of changing size besides: see scale_fleet()
};

/// Puts what is asked into the scenario and the options.
/// Errors: `where` is the name of the option that was not understood: "slo", "policy jsq(", "rate".
[[nodiscard]] Result<void> apply(const PlanRequest& request, scenario::Scenario& scenario,
                                 PlanOptions& options);

/// Changes a scenario as "workers=4", "policy=least_loaded" or "rate=x1.5" says. Errors: what was
/// found and what is allowed; `where` is empty.
[[nodiscard]] Result<void> change(scenario::Scenario& scenario, std::string_view text);

/// As many as a scenario may have.
inline constexpr std::uint32_t kFleetMax = 100'000;

}  // namespace artel::plan
