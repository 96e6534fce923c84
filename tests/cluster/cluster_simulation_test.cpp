// The protocol's machines in a simulated network, with everything going wrong that can.
//
// Every seed is a scenario of its own. ARTEL_SWARM_SEED is the first one, ARTEL_SWARM_RUNS how
// many; one that fails is shrunk, and printed with all that happened.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "tests/cluster/simulated_scenario.hpp"
#include "tests/sanitized.hpp"

namespace artel::cluster::simulated {
namespace {

using namespace std::chrono_literals;

std::uint64_t setting(const char* name, std::uint64_t usual) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return text == nullptr ? usual : parse_number<std::uint64_t>(text).value_or(usual);
}

std::string report(const Scenario& scenario) {
  std::vector<std::string> lines;
  std::string text = describe(scenario) + "\n";
  for (const std::string& problem : check(scenario).problems) text += "  " + problem + "\n";
  static_cast<void>(run(scenario, &lines));
  constexpr std::size_t kLinesMax = 2'000;
  for (std::size_t i = 0; i < std::min(lines.size(), kLinesMax); ++i) text += lines[i] + "\n";
  return text;
}

TEST(ClusterSimulation, EveryChunkEndsOnceWhateverGoesWrong) {
  const std::uint64_t first = setting("ARTEL_SWARM_SEED", 1);
  const std::uint64_t runs = setting("ARTEL_SWARM_RUNS", kSanitized ? 1'000 : 10'000);
  std::uint64_t steps = 0;
  for (std::uint64_t seed = first; seed < first + runs && !HasFailure(); ++seed) {
    const Scenario scenario = scenario_of(seed);
    const auto result = check(scenario);
    steps += result.steps;
    if (result.problems.empty()) continue;
    ADD_FAILURE() << "seed " << seed << ": " << result.problems[0] << "\n"
                  << report(shrunk(scenario));
  }
  RecordProperty("steps", std::to_string(steps));
}

// How long that takes is not looked at: a chunk may have to be missed twice.
TEST(ClusterSimulation, EveryChunkEndsOnceWhenAServerCountsAnew) {
  const std::uint64_t first = setting("ARTEL_SWARM_SEED", 1);
  const std::uint64_t runs = setting("ARTEL_SWARM_RUNS", kSanitized ? 500 : 5'000);
  for (std::uint64_t seed = first; seed < first + runs && !HasFailure(); ++seed) {
    Scenario scenario = scenario_of(seed);
    bool any = false;
    for (Fault& fault : scenario.faults) {
      if (fault.kind != Fault::Kind::server_killed && fault.kind != Fault::Kind::store_lost)
        continue;
      fault.kind = Fault::Kind::end_lost;
      any = true;
    }
    if (!any) continue;
    const auto result = run(scenario);
    if (result.problems.empty()) continue;
    ADD_FAILURE() << "seed " << seed << ": " << result.problems[0] << "\n"
                  << report(shrunk(scenario));
  }
}

// Laws say when a map fails; here faults last long enough for that.
TEST(ClusterSimulation, AMapFailsWhenItsTimeIsUpAndNoSooner) {
  const std::uint64_t first = setting("ARTEL_SWARM_SEED", 1);
  const std::uint64_t runs = setting("ARTEL_SWARM_RUNS", kSanitized ? 500 : 5'000);
  for (std::uint64_t seed = first; seed < first + runs && !HasFailure(); ++seed) {
    Scenario scenario = scenario_of(seed);
    scenario.hasty = true;
    scenario.late = 100ms;
    const auto result = run(scenario);
    if (result.problems.empty()) continue;
    ADD_FAILURE() << "seed " << seed << ": " << result.problems[0] << "\n"
                  << report(shrunk(scenario));
  }
}

// Of the first million: copies of chunks that waited for their trial; a queue that was lost with
// its stream, which another master had made anew meanwhile; workers that could not be heard while
// the server was down; a server that started twice; work that took longer by chance.
TEST(ClusterSimulation, SeedsThatFailedOnce) {
  for (const std::uint64_t seed :
       {8014U, 25871U, 34341U, 43999U, 47636U, 50839U, 65558U, 77012U, 84902U, 99907U, 101192U,
        110421U, 216171U, 394801U, 581621U, 645967U}) {
    const Scenario scenario = scenario_of(seed);
    const auto result = check(scenario);
    EXPECT_TRUE(result.problems.empty()) << "seed " << seed << "\n" << report(shrunk(scenario));
  }
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

Scenario plain(std::size_t workers, std::size_t chunks, Duration work) {
  return {.seed = 1, .workers = workers, .chunks = chunks, .work = work, .latency = 200us};
}

// Though its workers report all the while.
TEST(ClusterSimulation, AQueueThatSaysNothingEndsTheMapByName) {
  Scenario scenario = plain(2, 5, 10ms);
  scenario.faults = {{.kind = Fault::Kind::queue_silent, .lasts = 100s}};
  const auto result = run(scenario);
  EXPECT_EQ(result.problems.size(), scenario.chunks);
  for (const std::string& problem : result.problems) {
    EXPECT_NE(problem.find("has failed: the queue has said nothing for"), std::string::npos)
        << problem;
  }
  EXPECT_LT(result.makespan, 60s);
}

// It answers connections, and no request of JetStream; what it does not read breaks the connection.
// When it listens again, nothing of the map is left there.
TEST(ClusterSimulation, ADeafServerEndsTheMapInTimeWhateverTheConnectionDoes) {
  for (const bool own : {false, true}) {
    for (const Duration period : {Duration(500ms), Duration(3s), Duration(7s), Duration(100s)}) {
      Scenario scenario = plain(2, 40, 50ms);
      scenario.own_queues = own;
      scenario.faults = {{.kind = Fault::Kind::server_deaf,
                          .at = Instant{} + 300ms,
                          .lasts = 50s,
                          .period = period}};
      const auto result = run(scenario);
      EXPECT_FALSE(result.problems.empty());
      for (const std::string& problem : result.problems) {
        EXPECT_NE(problem.find("has failed: the queue has said nothing for 34.0 s"),
                  std::string::npos)
            << problem << " " << own << " " << format_duration(period);
      }
      EXPECT_LT(result.makespan, 36s);
    }
  }
}

// Whose reports mention it all the while, so that nobody asks the queue for it.
TEST(ClusterSimulation, AChunkMayTakeLongerThanAQueueMayBeSilent) {
  Duration longest{};
  Scenario scenario = plain(1, 1, 45s);
  scenario.speculates = false;
  for (scenario.seed = 1; scenario.seed < 5; ++scenario.seed) {
    const auto result = run(scenario);
    EXPECT_EQ(result.problems, std::vector<std::string>{});
    longest = std::max(longest, result.makespan);
  }
  EXPECT_GT(longest, 40s);
}

// What has come meanwhile is read after the first tick, which is no reason to end the map.
TEST(ClusterSimulation, AMasterThatWasStoppedForAMinuteGoesOn) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Scenario scenario = plain(2, 40, 50ms);
    scenario.seed = seed;
    scenario.faults = {
        {.kind = Fault::Kind::master_paused, .at = Instant{} + 100ms + 20ms * seed, .lasts = 60s}};
    EXPECT_EQ(run(scenario).problems, std::vector<std::string>{});
  }
}

TEST(ClusterSimulation, APoolThatItsWorkersHaveLeftEndsTheMapByName) {
  for (const bool own : {false, true}) {
    Scenario scenario = plain(1, 40, 50ms);
    scenario.own_queues = own;
    scenario.faults = {
        {.kind = Fault::Kind::worker_leaves, .at = Instant{} + 300ms, .lasts = 100s}};
    const auto result = run(scenario);
    EXPECT_FALSE(result.problems.empty());
    for (const std::string& problem : result.problems) {
      EXPECT_NE(problem.find("has failed: no worker for 30.0 s: start some"), std::string::npos)
          << problem;
    }
    EXPECT_LT(result.makespan, 32s);
  }
}

TEST(ClusterSimulation, AServerThatIsGoneForGoodEndsTheMapByName) {
  Scenario scenario = plain(2, 5, 10ms);
  scenario.faults = {{.kind = Fault::Kind::server_killed, .lasts = 100s}};
  const auto result = run(scenario);
  ASSERT_EQ(result.problems.size(), scenario.chunks);
  for (const std::string& problem : result.problems) {
    EXPECT_NE(problem.find("has failed: no connection to the server for 30.0 s"), std::string::npos)
        << problem;
  }
  EXPECT_LT(result.makespan, 40s);
}

// The server was killed, numbers its messages anew from 1, and takes the first hundred for done.
TEST(ClusterSimulation, AQueueThatIsAheadOfItsMessagesIsMadeAnew) {
  for (const bool own : {false, true}) {
    Scenario scenario = plain(2, 400, 5ms);
    scenario.own_queues = own;
    scenario.faults = {{.kind = Fault::Kind::end_lost, .at = Instant{} + 700ms, .lasts = 100ms}};
    const auto result = run(scenario);
    EXPECT_EQ(result.problems, std::vector<std::string>{}) << own;
    EXPECT_LT(result.makespan, 20s) << own;
  }
}

TEST(ClusterSimulation, WorkersOfAnotherVersionCostNoTime) {
  Scenario scenario = plain(2, 1000, 5ms);
  const auto alone = run(scenario);
  scenario.strangers = 2;
  const auto mixed = run(scenario);
  EXPECT_EQ(mixed.problems, std::vector<std::string>{});
  EXPECT_LE(to_seconds(mixed.makespan), 1.3 * to_seconds(alone.makespan));
  scenario.masters = 2;
  scenario.upgrade = true;  // both versions have work
  const auto both = run(scenario);
  EXPECT_EQ(both.problems, std::vector<std::string>{});
  EXPECT_LE(to_seconds(both.makespan), 1.3 * to_seconds(alone.makespan));
}

TEST(ClusterSimulation, TwoHundredWorkersAreBusyFromTheFirstSecondOn) {
  const Scenario scenario = plain(200, 4000, 50ms);
  const auto result = run(scenario);
  EXPECT_EQ(result.problems, std::vector<std::string>{});
  EXPECT_LE(result.makespan, 1600ms);  // ideal: 1 s, and the longest of the last ones
}

TEST(ClusterSimulation, WorkersThatComeLateGetTheirShare) {
  Scenario scenario = plain(100, 4000, 50ms);
  for (std::size_t i = 10; i < scenario.workers; ++i) {
    scenario.faults.push_back({.kind = Fault::Kind::worker_killed, .lasts = 500ms, .who = i});
  }
  const auto result = run(scenario);
  EXPECT_EQ(result.problems, std::vector<std::string>{});
  EXPECT_LE(result.makespan, 3500ms);  // ideal: 2.45 s; with ten of them alone 20 s
}

// The mean response time of a queue with as many servers (Erlang C), in terms of the service time.
double mm_n(std::size_t servers, double load) {
  const double offered = load * static_cast<double>(servers);
  double term = 1;
  double sum = 1;
  for (std::size_t k = 1; k < servers; ++k) {
    term *= offered / static_cast<double>(k);
    sum += term;
  }
  term *= load / (1 - load);
  return 1 + term / (sum + term) / (static_cast<double>(servers) * (1 - load));
}

// Chunks that come one by one.
Scenario arrivals(std::size_t workers, unsigned threads, double load, Duration work,
                  Duration latency) {
  Scenario scenario = plain(workers, 15'000, work);
  scenario.threads = threads;
  scenario.latency = latency;
  scenario.speculates = false;
  scenario.gap = from_seconds(to_seconds(work) / (load * static_cast<double>(workers * threads)));
  return scenario;
}

// Of the real protocol, in terms of the service time.
double response_of(std::size_t workers, unsigned threads, double load, Duration work,
                   Duration latency) {
  const auto result = run(arrivals(workers, threads, load, work, latency));
  EXPECT_EQ(result.problems, std::vector<std::string>{});
  return to_seconds(result.response) / to_seconds(work);
}

// docs/decisions/cluster-in-simulate.md has more of these figures.
TEST(ClusterSimulation, AWorkerOfManyThreadsIsAQueueWithAsManyServers) {
  EXPECT_NEAR(response_of(1, 8, 0.8, 20ms, 1us) / mm_n(8, 0.8), 1, 0.08);
  // What a worker of one thread has in hand besides is bound to it, and may wait while others idle.
  EXPECT_GT(response_of(8, 1, 0.8, 20ms, 1us), 1.2 * mm_n(8, 0.8));
}

// With two of them alone a chunk would wait until it is bound to a queue that is full.
TEST(ClusterSimulation, QueuesThatAreDrawnByChanceAreAllUsed) {
  Scenario scenario = arrivals(8, 1, 0.5, 20ms, 1us);
  scenario.own_queues = scenario.sampled = true;
  const auto result = run(scenario);
  EXPECT_EQ(result.problems, std::vector<std::string>{});
  // Of the shorter of two queues at load 0.5, M. Mitzenmacher (1996): 1.26 for many of them.
  EXPECT_NEAR(to_seconds(result.response) / 20e-3, 1.26, 0.1);
}

TEST(ClusterSimulation, AChunkTravelsFourTimes) {
  const double hop = response_of(1, 8, 0.5, 20ms, 1ms) - response_of(1, 8, 0.5, 20ms, 1us);
  EXPECT_NEAR(hop, 4 * 1.0 / 20, 0.03);
}

// One chunk more than threads is in hand, so what a worker does is bounded by how long it asks.
TEST(ClusterSimulation, ALongWayToTheServerCostsThroughput) {
  EXPECT_GT(response_of(1, 8, 0.8, 20ms, 5ms), 50 * mm_n(8, 0.8));
}

}  // namespace
}  // namespace artel::cluster::simulated
