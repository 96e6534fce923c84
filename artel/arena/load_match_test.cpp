#include "artel/arena/load_match.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::arena {
namespace {

// All that can be made without a file.
std::vector<scenario::PolicySpec> every_policy() {
  std::vector<scenario::PolicySpec> all;
  for (const auto& entry : dispatch::policy_table()) {
    if (entry.alone) all.push_back(*scenario::parse_policy_spec(std::string(entry.name)));
  }
  return all;
}

TEST(ArenaLibrary, EveryPolicyRunsInSomeOfItsScenarios) {
  const auto policies = every_policy();
  std::map<std::string, int> runs;
  int scenarios = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(ARTEL_SOURCE_DIR "/scenarios/arena")) {
    const auto match = load_match(entry.path(), policies);
    ASSERT_TRUE(match) << to_string(match.error().front());
    ++scenarios;
    for (const auto& policy : match->scenario.dispatch.policies) ++runs[policy.name];
  }
  EXPECT_GE(scenarios, 24);
  for (const auto& policy : policies) EXPECT_GE(runs[policy.name], 3) << policy.name;
}

}  // namespace
}  // namespace artel::arena
