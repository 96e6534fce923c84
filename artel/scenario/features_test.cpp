#include "artel/scenario/features.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::scenario {
namespace {

Scenario feature_scenario(const std::string& lines) {
  auto scenario = parse_scenario(R"(
dispatch.policies = ["random"]
run.tasks = 100
workload.service = { distribution = "exponential", mean = "1s" }
pool.workers = 4
)" + lines +
                                     (lines.find("arrivals") == std::string::npos
                                          ? "\nworkload.arrivals = { kind = 'poisson', load = 0.5 }"
                                          : ""),
                                 "s.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return scenario.value_or(Scenario{});
}

// Each feature, and a line that asks for it and for nothing else.
const std::vector<std::pair<Feature, std::string>>& lines() {
  static const std::vector<std::pair<Feature, std::string>> all{
      {Feature::slots, "pool.slots = 2"},
      {Feature::discipline, "pool.discipline = 'ps'"},
      {Feature::batch, "pool.batch = { most = 2, per_work = 1 }"},
      {Feature::cache, ""},  // with prefixes of a trace only
      {Feature::failures, "pool.failures = { mtbf = '1h', mttr = '1s' }"},
      {Feature::start_up, "pool.start_up = '1s'"},
      {Feature::slow_start, "pool.slow_start = { time = '1s', speed = 0.5 }\npool.start_up = '1s'"},
      {Feature::speed_states, "pool.speed_states = [{ speed = 1, mean_duration = '1s' }]"},
      {Feature::speed_timetable, "pool.speed_timetable = { points = [{ at = '0s', speed = 1 }] }"},
      {Feature::admission, "pool.admission = { policy = 'aimd', target = '1s' }"},
      {Feature::ejection,
       "dispatch.ejection = { failures = 2, time = '1s', share = 0.5 }\n"
       "workload.callers = { timeout = '9s' }"},
      {Feature::scaling, "pool.scaling = { policy = 'hpa', max = 8 }"},
      {Feature::stages,
       "stages = [{ name = 'db', service = { distribution = 'exponential', mean = '1ms' }, "
       "pool = { workers = 1 } }]"},
      {Feature::patience, "workload.patience = '1s'"},
      {Feature::callers, "workload.callers = { timeout = '1s' }"},
      {Feature::closed_arrivals,
       "workload.arrivals = { kind = 'closed', users = 3, think = '1s' }"},
      {Feature::classes, "workload.classes = [{ name = 'a', share = 1 }]"},
      {Feature::deadline, "workload.deadline = '1s'"},
      {Feature::fork, "workload.fork = 2"},
      {Feature::network_delay, "dispatch.network_delay = '1ms'"},
      {Feature::views, "dispatch.staleness = '1s'"},
      {Feature::take_over, "pool.take_over = true"},
      {Feature::stealing, "pool.stealing = 'after_common'"},
      {Feature::wake_up, "pool.wake_up = ['1us']"},
      {Feature::task_overhead, "pool.task_overhead = '1us'"}};
  return all;
}

TEST(Features, OfAPlainScenarioAreNone) {
  const auto scenario = feature_scenario("");
  EXPECT_TRUE(features_of(scenario).empty());
  EXPECT_TRUE(is_plain(scenario));
}

TEST(Features, AreWhatTheKeysAskFor) {
  ASSERT_EQ(lines().size(), Features::kCount);
  for (std::size_t i = 0; i < lines().size(); ++i) {
    const auto& [feature, line] = lines()[i];
    EXPECT_EQ(static_cast<std::size_t>(feature), i);
    if (line.empty()) continue;
    const auto scenario = feature_scenario(line);
    const auto found = features_of(scenario);
    EXPECT_TRUE(found.has(feature)) << line;
    const bool needs_another = feature == Feature::slow_start || feature == Feature::ejection;
    if (!needs_another) {
      EXPECT_EQ(found, Features(feature)) << line;
    }
    EXPECT_EQ(is_plain(scenario), kPlainFeatures.has(feature)) << line;
    EXPECT_EQ(features_of(scenario.pool.worker).empty(), found.among(kWorkerFeatures).empty());
    const auto key = std::string(key_of_first(Features(feature)));
    const auto last = key.substr(key.find_last_of(". ") + 1);
    const bool named = line.find(last) != std::string::npos || feature == Feature::views;
    EXPECT_TRUE(named) << key << " is not in " << line;
  }
}

TEST(Features, OfThreadsThatStealGoWithPrioritiesPatienceAndTheClock) {
  const std::string threads = "pool.stealing = 'after_common'\n";
  EXPECT_TRUE(is_of_threads(feature_scenario(threads + "workload.patience = '1s'")));
  EXPECT_TRUE(
      is_of_threads(feature_scenario(threads + "workload.classes = [{ name = 'a', share = 1 }]")));
  EXPECT_FALSE(is_of_threads(feature_scenario("workload.patience = '1s'")));
  EXPECT_FALSE(is_of_threads(feature_scenario("pool.slots = 2")));
}

}  // namespace
}  // namespace artel::scenario
