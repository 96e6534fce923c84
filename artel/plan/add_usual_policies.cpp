#include "artel/plan/add_usual_policies.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {
namespace {

struct UsualPolicy {
  std::string_view text;
  std::uint32_t queue_bound;
};

constexpr std::uint32_t kRayServe = 5;  // max_ongoing_requests, unless somebody says otherwise
constexpr std::array kUsual{
    UsualPolicy{"least_loaded", dispatch::kUnbounded},
    UsualPolicy{"jsq(d=2)", dispatch::kUnbounded}, UsualPolicy{"jsq(d=2)", kRayServe},
    UsualPolicy{"round_robin", dispatch::kUnbounded}, UsualPolicy{"random", dispatch::kUnbounded}};

}  // namespace

Result<void> add_usual_policies(scenario::Scenario& scenario) {
  for (const auto& [text, bound] : kUsual) {
    auto policy = scenario::parse_policy_spec(text);
    if (!policy) return fail(policy);
    policy->queue_bound = bound;
    scenario.dispatch.policies.push_back(*std::move(policy));
  }
  scenario.pool.stealing = dispatch::Stealing{};
  return {};
}

}  // namespace artel::plan
