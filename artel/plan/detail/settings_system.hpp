#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/pool/pool_options.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::plan::detail {

// One answer of a plan, as whoever writes settings needs it.
struct SettingsAnswer {
  scenario::PolicySpec policy;
  std::vector<double> speeds;         // one per worker
  std::vector<std::uint32_t> bounds;  // of tasks at a worker, one per worker, or kUnbounded
  std::uint32_t common_bound = scenario::kUnbounded;
  std::uint32_t slots = 1;  // tasks that a worker serves at once
  double utilisation = 0;
  double in_system = 0;   // tasks per worker, on average
  double wait_max_s = 0;  // the longest of a run, on average
  std::optional<scenario::ScalingSettings> scaling{};
  std::optional<pool::PoolOptions> pool{};  // nothing: no pool of threads is like that

  [[nodiscard]] std::size_t workers() const { return speeds.size(); }
  // The bound that all have, or nothing.
  [[nodiscard]] std::optional<std::uint32_t> bound() const;
  // All that waits is in one queue, and goes to whichever worker is free.
  [[nodiscard]] bool central() const;
  // As many tasks may wait at a worker as come.
  [[nodiscard]] bool unbounded() const { return bound() == scenario::kUnbounded; }
};

// How a system says a policy, and what has to be said of that.
struct PolicyWords {
  std::string text;
  std::string note{};
};

// One system: pure functions from an answer to what it is to be told.
struct SettingsSystem {
  std::string_view name;
  std::string_view checked;   // version and source of the keys
  std::string_view policies;  // that it has, in artel's words
  std::string_view comment;   // how a comment begins
  // Nothing: the system does not have that policy with those bounds.
  std::optional<PolicyWords> (*policy)(const SettingsAnswer&);
  std::string (*block)(const SettingsAnswer&, const std::string& policy);
};

// "10.0.0.1" of the first worker, "10.0.0.2", …
[[nodiscard]] std::string example_address(std::size_t worker);
// Whole weights from 1 to 100 in proportion to the speeds, if the policy goes by them; else all 0.
[[nodiscard]] std::vector<unsigned> whole_weights(const SettingsAnswer& answer);

}  // namespace artel::plan::detail
