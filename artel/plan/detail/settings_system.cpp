#include "artel/plan/detail/settings_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/weighted_least_request.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"

namespace artel::plan::detail {

std::optional<std::uint32_t> SettingsAnswer::bound() const {
  const bool alike =
      std::ranges::all_of(bounds, [&](auto bound) { return bound == bounds.front(); });
  return alike ? std::optional(bounds.front()) : std::nullopt;
}

bool SettingsAnswer::central() const {
  const auto* const least = std::get_if<dispatch::LeastLoaded>(&policy.policy);
  return least != nullptr && least->busyness.measure() == dispatch::Measure::queued &&
         bound() == slots;
}

std::string example_address(std::size_t worker) {
  constexpr std::size_t kPerNet = 250;
  return fmt::format("10.0.{}.{}", worker / kPerNet, worker % kPerNet + 1);
}

std::vector<unsigned> whole_weights(const SettingsAnswer& answer) {
  std::vector<unsigned> weights(answer.workers(), 0);
  const auto& policy = answer.policy.policy;
  const bool turns = std::holds_alternative<dispatch::WeightedRoundRobin>(policy);
  const bool draws = std::holds_alternative<dispatch::WeightedLeastRequest>(policy);
  if (!turns && !draws) return weights;
  constexpr double kMost = 100;
  const double fastest = *std::ranges::max_element(answer.speeds);
  std::ranges::transform(answer.speeds, weights.begin(), [&](double speed) {
    return static_cast<unsigned>(std::max(1L, std::lround(kMost * speed / fastest)));
  });
  return weights;
}

}  // namespace artel::plan::detail
