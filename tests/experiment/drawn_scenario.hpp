#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace artel::experiment {

/// A scenario drawn at random: every number gives another one, always the same. Loads are fresh,
/// service takes a second on average, and every run has an end.
struct DrawnScenario {
  std::string text;  ///< TOML; a policy, or several, are to be put in by --set dispatch.policies
  std::vector<std::string> features;  ///< tables and keys that it has beyond the plainest

  [[nodiscard]] bool has(const std::string& feature) const;
};

/// `tasks` of each replication.
[[nodiscard]] DrawnScenario draw_scenario(std::uint64_t number, std::uint64_t tasks,
                                          std::uint32_t replications);

}  // namespace artel::experiment
