#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "artel/plan/detail/settings_system.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::plan::detail {

// An answer with that policy and bound; busy for a quarter of the time.
inline SettingsAnswer sample_answer(std::string_view policy, std::size_t workers,
                                    std::uint32_t bound = scenario::kUnbounded) {
  SettingsAnswer answer;
  answer.policy = scenario::parse_policy_spec(policy).value();
  answer.speeds.assign(workers, 1.0);
  answer.bounds.assign(workers, answer.policy.queue_bound.value_or(bound));
  answer.utilisation = 0.254;
  answer.in_system = 0.5;
  answer.wait_max_s = 1.2;
  return answer;
}

inline const SettingsSystem& settings_system(std::span<const SettingsSystem> all,
                                             std::string_view name) {
  return *std::ranges::find(all, name, &SettingsSystem::name);
}

// How the system says the policy; "none": it does not have it.
inline std::string policy_words(const SettingsSystem& system, const SettingsAnswer& answer) {
  const auto words = system.policy(answer);
  return words ? words->text : "none";
}

// The block that is pasted. Requires: the system has the policy.
inline std::string settings_block(const SettingsSystem& system, const SettingsAnswer& answer) {
  return system.block(answer, system.policy(answer).value_or(PolicyWords{}).text);
}

// What has to be said of the policy; empty: nothing.
inline std::string policy_note(const SettingsSystem& system, const SettingsAnswer& answer) {
  return system.policy(answer).value_or(PolicyWords{}).note;
}

}  // namespace artel::plan::detail
