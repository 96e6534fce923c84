#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::scenario {

struct PoolSettings;

/// One policy to compare: one row of the table.
struct PolicySpec {
  std::string label;                ///< unique within the scenario
  std::string name;                 ///< as the file has it; "central" is not a dispatch name
  dispatch::Parameters parameters;  ///< as the file has them
  dispatch::Policy policy;          ///< made from both; for "central": least loaded
  std::filesystem::path file{};     ///< a plugin's, where it was found; else empty
  std::optional<std::uint32_t> queue_bound;  ///< instead of the pool's, for every worker
  std::optional<bool> take_over;             ///< instead of the pool's
};

/// Whether any number of tasks may wait, so that a load of 1 has no steady state.
[[nodiscard]] bool takes_all(const PoolSettings& pool, const PolicySpec& policy);

}  // namespace artel::scenario
