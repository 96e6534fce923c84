#include "artel/predict/call_stages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/call_graph.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;

// One request every 100 ms: 20 ms of its own, three searches of 15 ms at once, and in every second
// the database twice, 10 ms each, one after the other.
logs::CallGraph shop() {
  logs::CallGraph graph;
  constexpr std::size_t kRequests = 200;
  for (std::size_t i = 0; i < kRequests; ++i) {
    graph.arrivals.push_back(Instant{static_cast<Duration::rep>(i) * Duration{100ms}});
    graph.responses.emplace_back(i % 2 == 0 ? 55ms : 35ms);
  }
  graph.services = {
      {.name = "front", .visits = kRequests, .requests = kRequests, .most_at_once = 1},
      {.name = "se\"arch",
       .visits = 3 * kRequests,
       .requests = kRequests,
       .first = 5ms,
       .most_at_once = 3,
       .at_once = true},
      {.name = "database",
       .visits = kRequests,
       .requests = kRequests / 2,
       .first = 30ms,
       .most_at_once = 1}};
  graph.services[0].own.assign(kRequests, 20ms);
  graph.services[0].own_of_request.assign(kRequests, 20ms);
  graph.services[1].own.assign(3 * kRequests, 15ms);
  graph.services[1].own_of_request.assign(kRequests, 45ms);
  graph.services[2].own.assign(kRequests, 10ms);
  graph.services[2].own_of_request.assign(kRequests / 2, 20ms);
  graph.calls = {{0, 1, 3 * kRequests}, {0, 2, kRequests}};
  return graph;
}

TEST(CallStages, TheScenarioTakesAsLongAsTheRequestsDid) {
  const auto made = call_stages(shop(), "shop");
  ASSERT_TRUE(made) << to_string(made.error());
  const auto scenario = scenario::parse_scenario(made->toml, "shop.toml");
  ASSERT_TRUE(scenario) << to_string(scenario.error().front()) << "\n" << made->toml;
  ASSERT_EQ(scenario->stages.size(), 2U);
  EXPECT_EQ(scenario->stages[0].name, "se\"arch");
  EXPECT_EQ(scenario->stages[0].calls, 3U);
  EXPECT_EQ(scenario->stages[0].pool.speeds.size(), 3U);
  EXPECT_EQ(scenario->stages[1].calls, 1U) << "one after the other";
  EXPECT_DOUBLE_EQ(scenario->stages[1].probability, 0.5);
  EXPECT_NEAR(scenario->stages[1].service.mean(), 0.020, 1e-9);
  EXPECT_NEAR(scenario->workload.mean_service_s, 0.020, 1e-9);
  EXPECT_NEAR(scenario->workload.rate, 10, 0.1);
  EXPECT_THAT(made->notes, Contains(HasSubstr("database is called 2 times, one after the other")));
}

TEST(CallStages, CallsThatAreNoWholeNumberAreTold) {
  auto graph = shop();
  graph.services[1].visits = 480;  // 2.4 each
  const auto made = call_stages(graph, "shop");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->stages.at(1).calls, 2U);
  EXPECT_THAT(made->notes, Contains(HasSubstr("2.4 times at once: here 2")));
}

TEST(CallStages, NoStageIsTooSmallForItsWork) {
  auto graph = shop();
  graph.services[2].own_of_request.assign(100, 900ms);  // 4.5 workers' work
  const auto made = call_stages(graph, "shop");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->stages.at(2).workers, 5U);
  EXPECT_TRUE(scenario::parse_scenario(made->toml, "shop.toml"));
}

TEST(CallStages, OneRequestIsNoLoad) {
  auto graph = shop();
  graph.arrivals.resize(1);
  EXPECT_THAT(to_string(call_stages(graph, "shop").error()), HasSubstr("1 request to front"));
}

}  // namespace
}  // namespace artel::predict
