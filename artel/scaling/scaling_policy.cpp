#include "artel/scaling/scaling_policy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/membership.hpp"

namespace artel::scaling {
namespace {

// Collects the first thing that is wrong.
class Checks {
 public:
  explicit Checks(std::string policy) : policy_(std::move(policy)) {}

  void positive(std::string_view field, double value) {
    if (!(value > 0)) refuse(field, fmt::format("{}", value), "a number above 0");
  }
  void positive(std::string_view field, Duration value) {
    if (value <= Duration::zero()) refuse(field, format_duration(value), "a duration above 0");
  }
  void not_negative(std::string_view field, double value) {
    if (!(value >= 0)) refuse(field, fmt::format("{}", value), "0 or more");
  }
  void not_negative(std::string_view field, Duration value) {
    if (value < Duration::zero()) refuse(field, format_duration(value), "0 or more");
  }
  void share(std::string_view field, double value) {
    if (!(value > 0 && value < 1)) refuse(field, fmt::format("{}", value), "between 0 and 1");
  }
  void refuse(std::string_view field, std::string_view found, std::string_view allowed) {
    if (result_)
      result_ = fail(ErrorCode::invalid,
                     fmt::format("{}: {}: found {}, allowed: {}", policy_, field, found, allowed));
  }
  [[nodiscard]] Result<void> result() const { return result_; }

 private:
  std::string policy_;
  Result<void> result_;
};

void look_at(const Hpa& hpa, Checks& checks) {
  checks.positive("target", hpa.target);
  checks.not_negative("tolerance", hpa.tolerance);
  checks.not_negative("stabilisation_up", hpa.stabilisation_up);
  checks.not_negative("stabilisation_down", hpa.stabilisation_down);
  for (const auto& step : {hpa.up, hpa.down}) {
    checks.not_negative("percent", step.percent);
    checks.positive("within", step.within);
    if (step.percent == 0 && step.workers == 0)
      checks.refuse("percent", "0 and no workers", "a step above 0");
  }
}

void look_at(const Keda& keda, Checks& checks) {
  look_at(keda.hpa, checks);
  checks.not_negative("activation", keda.activation);
  checks.positive("polling", keda.polling);
  checks.not_negative("cooldown", keda.cooldown);
}

void look_at(const Knative& knative, Checks& checks) {
  checks.positive("target", knative.target);
  checks.positive("stable_window", knative.stable_window);
  checks.positive("panic_window_percent", knative.panic_window_percent);
  if (knative.panic_window_percent > 100) {
    checks.refuse("panic_window_percent", fmt::format("{}", knative.panic_window_percent),
                  "up to 100");
  }
  checks.positive("panic_threshold", knative.panic_threshold);
  if (!(knative.max_up_rate > 1))
    checks.refuse("max_up_rate", fmt::format("{}", knative.max_up_rate), "above 1");
  if (!(knative.max_down_rate > 1))
    checks.refuse("max_down_rate", fmt::format("{}", knative.max_down_rate), "above 1");
  checks.not_negative("zero_grace", knative.zero_grace);
}

void look_at(const Timetable& table, Checks& checks) {
  checks.positive("day", table.day);
  if (table.entries.empty()) checks.refuse("entries", "none", "one or more");
  Duration before{-1};
  for (const auto& entry : table.entries) {
    if (entry.from <= before || entry.from >= table.day)
      checks.refuse("entries", format_duration(entry.from), "later and later within the day");
    before = entry.from;
  }
}

void look_at(const Predictive& predictive, Checks& checks) {
  checks.positive("window", predictive.window);
  checks.not_negative("lead", predictive.lead);
  checks.not_negative("hold", predictive.hold);
  checks.share("waiting", predictive.waiting);
  checks.positive("slots", predictive.slots);
}

void look_at(const CustomScaling& custom, Checks& checks) {
  if (!custom.rule) checks.refuse("rule", "none", "a function");
}

// What cannot come back from no worker at all.
void look_at_none(const ScalingPolicy& policy, Checks& checks) {
  if (std::holds_alternative<Hpa>(policy))
    checks.refuse("limits", "a minimum of 0", "1 or more; keda goes down to none and comes back");
  const auto* keda = std::get_if<Keda>(&policy);
  if (keda != nullptr && keda->hpa.metric == ScalingMetric::in_service)
    checks.refuse("metric", "in_service, and a minimum of 0",
                  "in_system, waiting or arrivals: nobody serves where there is no worker");
}

template <class Policy>
using StateOf = typename std::decay_t<Policy>::State;

}  // namespace

std::uint32_t CustomScaling::size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                      State& /*state*/) const {
  return std::clamp(rule(sample), limits.min, limits.max);
}

std::string name(const ScalingPolicy& policy) {
  if (const auto* custom = std::get_if<CustomScaling>(&policy)) return custom->name;
  constexpr const char* kNames[] = {"hpa", "keda", "knative", "timetable", "predictive", "custom"};
  static_assert(std::size(kNames) == std::variant_size_v<ScalingPolicy>);
  return kNames[policy.index()];
}

Duration period(const ScalingPolicy& policy) {
  if (const auto* keda = std::get_if<Keda>(&policy)) return keda->hpa.period;
  return std::visit(
      [](const auto& one) -> Duration {
        if constexpr (requires { one.period; }) return one.period;
        return {};
      },
      policy);
}

Result<void> check(const ScalingPolicy& policy, dispatch::SizeLimits limits) {
  Checks checks(name(policy));
  if (limits.max == 0 || limits.min > limits.max)
    checks.refuse("limits", fmt::format("{} to {}", limits.min, limits.max), "min <= max, max > 0");
  if (limits.min == 0) look_at_none(policy, checks);
  checks.positive("period", period(policy));
  std::visit([&](const auto& one) { look_at(one, checks); }, policy);
  return checks.result();
}

Scaler::Scaler(ScalingPolicy policy, dispatch::SizeLimits limits)
    : policy_(std::move(policy)),
      limits_(limits),
      state_(
          std::visit([](const auto& one) -> State { return StateOf<decltype(one)>{}; }, policy_)) {
  ARTEL_REQUIRE(check(policy_, limits_), "a scaling policy that has been checked");
}

std::uint32_t Scaler::size_for(const FleetSample& sample) {
  const auto size = std::visit(
      [&](const auto& one) {
        return one.size_for(sample, limits_, std::get<StateOf<decltype(one)>>(state_));
      },
      policy_);
  return std::clamp(size, limits_.min, limits_.max);
}

}  // namespace artel::scaling
