#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
// IWYU pragma: begin_exports
#include "artel/scaling/fleet_sample.hpp"
#include "artel/scaling/hpa.hpp"
#include "artel/scaling/keda.hpp"
#include "artel/scaling/knative.hpp"
#include "artel/scaling/predictive.hpp"
#include "artel/scaling/timetable.hpp"
// IWYU pragma: end_exports

namespace artel::scaling {

/// A rule of the user's own: a pure function of the sample. Its answer is brought within the
/// limits.
struct CustomScaling {
  std::string name = "custom";
  Duration period = std::chrono::seconds(15);
  std::function<std::uint32_t(const FleetSample&)> rule;

  /// It remembers nothing.
  struct State {};
  /// What `rule` says, within the limits.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                       State& state) const;
};

/// A rule that says how many workers a fleet should have: a pure function of what it sees and of a
/// state that it hands on. The same object resizes a pool and a simulated fleet.
using ScalingPolicy = std::variant<Hpa, Keda, Knative, Timetable, Predictive, CustomScaling>;

/// "hpa", "keda", …
[[nodiscard]] std::string name(const ScalingPolicy& policy);
/// How often it wants to decide.
[[nodiscard]] Duration period(const ScalingPolicy& policy);
/// Errors: invalid: a period, target, rate or window that is not above 0, a timetable that is empty
/// or out of order, a rule that is not there; limits with no size in between, or of no worker where
/// the policy could not come back from that: Hpa, as in Kubernetes, and a Keda on in_service.
[[nodiscard]] Result<void> check(const ScalingPolicy& policy, dispatch::SizeLimits limits);

/// A policy with its limits and its memory. Threads: one at a time.
/// Cost: what the policy's windows hold, in time and memory; else O(1).
class Scaler {
 public:
  /// Requires: check() finds nothing.
  Scaler(ScalingPolicy policy, dispatch::SizeLimits limits);

  /// How many workers there should be. Requires: samples come in order of time.
  [[nodiscard]] std::uint32_t size_for(const FleetSample& sample);

  /// policy(), limits(): as given.
  [[nodiscard]] const ScalingPolicy& policy() const { return policy_; }
  [[nodiscard]] dispatch::SizeLimits limits() const { return limits_; }

 private:
  using State = std::variant<Hpa::State, Keda::State, Knative::State, Timetable::State,
                             Predictive::State, CustomScaling::State>;

  ScalingPolicy policy_;
  dispatch::SizeLimits limits_;
  State state_;
};

}  // namespace artel::scaling
