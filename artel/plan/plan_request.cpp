#include "artel/plan/plan_request.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/plan/change_rate.hpp"
#include "artel/plan/plan.hpp"
#include "artel/plan/scale_fleet.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/parse_price.hpp"
#include "artel/scenario/parse_slo.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {
namespace {

template <class T>
tl::unexpected<Error> at(const Result<T>& failed, std::string where) {
  return fail(failed.error().code, failed.error().what, std::move(where));
}

Result<std::uint32_t> parse_bound(std::string_view text) {
  constexpr std::uint32_t kBoundMax = 1'000'000'000;  // as in a scenario
  if (text == "inf") return dispatch::kUnbounded;
  const auto bound = parse_number<std::uint32_t>(text);
  if (bound && *bound >= 1 && *bound <= kBoundMax) return *bound;
  return fail(ErrorCode::parse,
              fmt::format("found '{}', allowed: whole numbers from 1 to {}, the running task "
                          "included, or inf; several with commas",
                          text, kBoundMax));
}

// Those of the scenario that have the name, else one made by it.
Result<void> choose_policies(scenario::Scenario& scenario, const std::vector<std::string>& names) {
  std::vector<scenario::PolicySpec> chosen;
  const auto add = [&](scenario::PolicySpec policy) {
    const bool twice = std::any_of(chosen.begin(), chosen.end(),
                                   [&](const auto& other) { return other.label == policy.label; });
    if (!twice) chosen.push_back(std::move(policy));
  };
  for (const auto& name : names) {
    bool known = false;
    for (const auto& policy : scenario.dispatch.policies) {
      if (policy.label != name && policy.name != name) continue;
      known = true;
      add(policy);
    }
    if (known) continue;
    auto policy = scenario::parse_policy_spec(name);
    if (!policy) return at(policy, "policy " + name);
    add(*std::move(policy));
  }
  scenario.dispatch.policies = std::move(chosen);
  return {};
}

// The scenario's own policy stays, and is the first one.
Result<void> add_fleets(const PlanRequest& request, scenario::Scenario& scenario,
                        PlanOptions& options) {
  if (request.scaling.empty()) return {};
  auto& fleets = options.fleets;
  const auto own = scenario.pool.scaling;
  if (own) fleets.push_back({.name = std::string(scaling::name(own->policy)), .scaling = *own});
  for (const auto& text : request.scaling) {
    auto with = scenario;
    const auto scaled = scale_fleet(with, text, options.workers_max);
    if (!scaled) return at(scaled, "scaling");
    if (with.pool.scaling) fleets.push_back({.name = text, .scaling = *with.pool.scaling});
    if (!own && fleets.size() == 1) scenario = std::move(with);
  }
  return {};
}

}  // namespace

Result<void> apply(const PlanRequest& request, scenario::Scenario& scenario, PlanOptions& options) {
  if (!request.policies.empty()) {
    if (auto chosen = choose_policies(scenario, request.policies); !chosen) return chosen;
  }
  if (!request.slo.empty()) {
    auto slo = scenario::parse_slo(join(request.slo, ","));
    if (!slo) return at(slo, "slo");
    options.slo = *std::move(slo);
  }
  for (const auto& text : request.queues) {
    const auto bound = parse_bound(text);
    if (!bound) return at(bound, "queue");
    auto& bounds = options.queue_bounds;
    if (std::find(bounds.begin(), bounds.end(), *bound) == bounds.end()) bounds.push_back(*bound);
  }
  if (!request.rate.empty()) {
    if (auto changed = change_rate(scenario, request.rate); !changed) return at(changed, "rate");
  }
  if (auto added = add_fleets(request, scenario, options); !added) return added;
  if (!request.price.empty()) {
    const auto price = scenario::parse_price(request.price);
    if (!price) return at(price, "price");
    scenario.price_per_hour = *price;
  }
  return {};
}

Result<void> change(scenario::Scenario& scenario, std::string_view text) {
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  const auto value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  if (name == "rate") return change_rate(scenario, value);
  if (name == "workers") {
    const auto workers = parse_number<std::uint32_t>(value);
    if (!workers || *workers < 1 || *workers > kFleetMax)
      return fail(ErrorCode::invalid, fmt::format("found '{}', allowed: 1 to {}", text, kFleetMax));
    change_workers(scenario, *workers);
    scenario.pool.scaling.reset();  // that many all the time
    return {};
  }
  if (name == "policy") {
    auto policy = scenario::parse_policy_spec(value);
    if (!policy) return fail(policy);
    scenario.dispatch.policies.assign(1, *std::move(policy));
    return {};
  }
  return fail(ErrorCode::invalid,
              fmt::format("found '{}', allowed: workers=4, policy=least_loaded, rate=x1.5", text));
}

}  // namespace artel::plan
