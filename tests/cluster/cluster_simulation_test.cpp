// The protocol's machines in a simulated network, with everything going wrong that can.
//
// Every seed is a scenario of its own. ARTEL_SWARM_SEED is the first one, ARTEL_SWARM_RUNS how
// many; one that fails is shrunk, and printed with all that happened.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "artel/core/parse_number.hpp"
#include "tests/cluster/simulated_scenario.hpp"

namespace artel::cluster::simulated {
namespace {

std::uint64_t setting(const char* name, std::uint64_t usual) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return text == nullptr ? usual : parse_number<std::uint64_t>(text).value_or(usual);
}

std::string report(const Scenario& scenario) {
  std::vector<std::string> lines;
  std::string text = describe(scenario) + "\n";
  for (const std::string& problem : check(scenario).problems) text += "  " + problem + "\n";
  static_cast<void>(run(scenario, &lines));
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(ClusterSimulation, EveryChunkEndsOnceWhateverGoesWrong) {
  const std::uint64_t first = setting("ARTEL_SWARM_SEED", 1);
  const std::uint64_t runs = setting("ARTEL_SWARM_RUNS", 10'000);
  std::uint64_t steps = 0;
  int failed = 0;
  for (std::uint64_t seed = first; seed < first + runs && failed < 3; ++seed) {
    const Scenario scenario = scenario_of(seed);
    const auto result = check(scenario);
    steps += result.steps;
    if (result.problems.empty()) continue;
    ++failed;
    ADD_FAILURE() << "seed " << seed << ": " << result.problems[0] << "\n"
                  << report(shrunk(scenario));
  }
  RecordProperty("steps", std::to_string(steps));
}

TEST(ClusterSimulation, IsTheSameEveryTime) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::vector<std::string> one;
    std::vector<std::string> other;
    static_cast<void>(run(scenario_of(seed), &one));
    static_cast<void>(run(scenario_of(seed), &other));
    EXPECT_EQ(one, other);
    EXPECT_GT(one.size(), 10);
  }
}

}  // namespace
}  // namespace artel::cluster::simulated
