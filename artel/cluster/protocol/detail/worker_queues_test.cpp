#include "artel/cluster/protocol/detail/worker_queues.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"

namespace artel::cluster::detail {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr std::uint64_t kSeed = 7;

Instant moment(Duration time) { return Instant{} + time; }
ChunkAddress chunk(std::uint64_t index) { return {"j", index}; }

// What a plugin becomes, too.
dispatch::Custom first_of_all() {
  return {.function = [](const dispatch::AnyLoads&,
                         const dispatch::Draw&) -> std::optional<WorkerId> { return WorkerId{0}; },
          .reads = dispatch::PolicyInputs{}};
}

// All that a master takes.
std::vector<dispatch::Policy> every_policy() {
  return {dispatch::Random{},
          dispatch::RoundRobin{},
          dispatch::WeightedRoundRobin{},
          dispatch::LeastLoaded{},
          dispatch::Jsq{},
          dispatch::Jiq{},
          dispatch::LeastWorkLeft{},
          dispatch::Sita{.cutoffs = {Duration{100ms}}},
          dispatch::ClosedLoop{},
          dispatch::PeakEwma{},
          dispatch::Jbt{},
          dispatch::C3{},
          dispatch::Prequal{},
          dispatch::WeightedLeastRequest{},
          first_of_all()};
}

// A policy that is missing above is noticed here.
TEST(WorkerQueues, EveryPolicyThatAMasterTakesIsTested) {
  std::set<std::size_t> tested;
  for (const auto& policy : every_policy()) {
    EXPECT_TRUE(check({.dispatch = policy})) << dispatch::name(policy);
    tested.insert(policy.index());
  }
  for (const auto& entry : dispatch::policy_table()) {
    if (!entry.alone) continue;
    const auto policy = dispatch::make_policy(entry.name).value();
    if (!check({.dispatch = policy})) continue;
    EXPECT_TRUE(tested.contains(policy.index())) << entry.name;
  }
}

TEST(WorkerQueues, AChunkGoesToTheLeastLoaded) {
  WorkerQueues queues(dispatch::LeastLoaded{}, 2, kSeed);
  queues.join("a", 1, moment(0s));
  queues.join("b", 1, moment(0s));
  EXPECT_EQ(queues.place(chunk(0), {}, moment(0s)), "a");
  EXPECT_EQ(queues.place(chunk(1), {}, moment(0s)), "b");
  EXPECT_EQ(queues.place(chunk(2), {}, moment(0s)), "a");
  queues.let_go(chunk(1), moment(1s));
  EXPECT_EQ(queues.place(chunk(3), {}, moment(1s)), "b");
}

TEST(WorkerQueues, AnswersMakeAWorkersLatency) {
  WorkerQueues queues(dispatch::PeakEwma{.d = dispatch::Jsq::kAll, .initial = 1s}, 2, kSeed);
  queues.join("fast", 1, moment(0s));
  queues.join("slow", 1, moment(0s));
  const auto first = queues.place(chunk(0), {}, moment(0s));
  const auto second = queues.place(chunk(1), {}, moment(0s));
  ASSERT_NE(first, second);
  for (const std::uint64_t each : {0U, 1U}) {
    const bool fast = (each == 0 ? first : second) == "fast";
    queues.answered(chunk(each), moment(fast ? 100ms : 500ms));
    queues.let_go(chunk(each), moment(500ms));
  }
  EXPECT_EQ(queues.place(chunk(2), {}, moment(500ms)), "fast");
  EXPECT_EQ(queues.place(chunk(3), {}, moment(500ms)), "fast");
  EXPECT_EQ(queues.place(chunk(4), {}, moment(500ms)), "slow");
}

TEST(WorkerQueues, AMasterRefusesAPolicyThatReadsWhatItDoesNotKnow) {
  const auto refused = check({.dispatch = dispatch::Rendezvous{}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what,
            "policy rendezvous reads key, which a cluster's master does not know");
  EXPECT_FALSE(check({.dispatch = dispatch::Jsq{.busyness = dispatch::Measure::delay}}));
  EXPECT_FALSE(check({.dispatch = dispatch::Affinity{}}));
  EXPECT_TRUE(check({.dispatch = dispatch::PeakEwma{}}));
}

TEST(WorkerQueues, AWorkerHasPerWorkerChunksAndOneMoreForEveryFurtherThread) {
  for (const auto& policy : every_policy()) {
    WorkerQueues queues(policy, 2, kSeed);
    queues.join("one", 1, moment(0s));
    queues.join("four", 4, moment(0s));
    std::map<std::string, int> placed;
    for (std::uint64_t i = 0; i < 7; ++i) {
      ++placed[queues.place(chunk(i), 1s, moment(0s)).value_or("nobody")];
    }
    EXPECT_THAT(placed, UnorderedElementsAre(testing::Pair("one", 2), testing::Pair("four", 5)))
        << dispatch::name(policy);
    EXPECT_FALSE(queues.place(chunk(7), 1s, moment(0s))) << dispatch::name(policy);
  }
}

TEST(WorkerQueues, DiceAreThrownAnewForEveryChunk) {
  WorkerQueues queues(dispatch::Random{}, 100, kSeed);
  for (const auto* name : {"a", "b", "c", "d"}) queues.join(name, 1, moment(0s));
  std::map<std::string, int> placed;
  for (std::uint64_t i = 0; i < 100; ++i)
    ++placed[queues.place(chunk(i), {}, moment(0s)).value_or("")];
  EXPECT_EQ(placed.size(), 4);
  for (const auto& [worker, chunks] : placed) EXPECT_GT(chunks, 10) << worker;
}

TEST(WorkerQueues, WhoLeavesGivesBackWhatItHadAndGetsNothingMore) {
  WorkerQueues queues(dispatch::RoundRobin{}, 2, kSeed);
  queues.join("a", 1, moment(0s));
  queues.join("b", 1, moment(0s));
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(queues.place(chunk(i), {}, moment(0s)));
  EXPECT_THAT(queues.leave("a", moment(1s)), ElementsAre(chunk(0), chunk(2)));
  EXPECT_FALSE(queues.has("a"));
  EXPECT_FALSE(queues.place(chunk(4), {}, moment(1s)));
  queues.let_go(chunk(1), moment(1s));
  EXPECT_EQ(queues.place(chunk(4), {}, moment(1s)), "b");
  EXPECT_THAT(queues.leave("a", moment(1s)), ElementsAre());
}

TEST(WorkerQueues, SizesCountUnderLeastWorkLeft) {
  WorkerQueues queues(dispatch::LeastWorkLeft{}, 10, kSeed);
  queues.join("a", 1, moment(0s));
  queues.join("b", 1, moment(0s));
  EXPECT_EQ(queues.place(chunk(0), 10s, moment(0s)), "a");
  EXPECT_EQ(queues.place(chunk(1), 1s, moment(0s)), "b");
  EXPECT_EQ(queues.place(chunk(2), 1s, moment(0s)), "b");
}

TEST(WorkerQueues, TurnsAreByThreadsUnderWeightedRoundRobin) {
  WorkerQueues queues(dispatch::WeightedRoundRobin{}, 100, kSeed);
  queues.join("one", 1, moment(0s));
  queues.join("three", 3, moment(0s));
  std::map<std::string, int> placed;
  for (std::uint64_t i = 0; i < 40; ++i)
    ++placed[queues.place(chunk(i), {}, moment(0s)).value_or("")];
  EXPECT_THAT(placed, UnorderedElementsAre(testing::Pair("one", 10), testing::Pair("three", 30)));
}

TEST(WorkerQueues, OtherPoliciesSendNoBeacons) {
  WorkerQueues queues(dispatch::LeastLoaded{}, 2, kSeed);
  queues.join("a", 1, moment(0s));
  EXPECT_TRUE(queues.due_beacons(moment(10s), 1s).empty());
  EXPECT_EQ(queues.interval(), kForever);
}

TEST(WorkerQueues, ABeaconIsDueWhenTheOneBeforeIsBackOrLost) {
  WorkerQueues queues(dispatch::ClosedLoop{.beacon_every = 100ms}, 2, kSeed);
  queues.join("a", 1, moment(0s));
  const auto first = queues.due_beacons(moment(0s), 1s);
  ASSERT_EQ(first.size(), 1);
  EXPECT_EQ(first[0].worker, "a");
  EXPECT_TRUE(queues.due_beacons(moment(50ms), 1s).empty());   // too soon
  EXPECT_TRUE(queues.due_beacons(moment(100ms), 1s).empty());  // still on its way
  queues.beacon_came({.worker = "a", .number = first[0].number + 1}, moment(150ms));  // not ours
  EXPECT_TRUE(queues.due_beacons(moment(200ms), 1s).empty());
  queues.beacon_came({.worker = "a", .number = first[0].number}, moment(250ms));
  EXPECT_EQ(queues.due_beacons(moment(300ms), 1s).size(), 1);
  EXPECT_EQ(queues.due_beacons(moment(1400ms), 1s).size(), 1);  // lost
}

TEST(WorkerQueues, BeaconsMoveTheSharesToWhoeverGetsOn) {
  WorkerQueues queues(dispatch::ClosedLoop{.beacon_every = 100ms, .publish_every = 100ms}, 100,
                      kSeed);
  queues.join("fast", 1, moment(0s));
  queues.join("slow", 1, moment(0s));
  EXPECT_DOUBLE_EQ(queues.share("fast"), queues.share("slow"));
  std::uint64_t done = 0;
  for (int round = 0; round < 20; ++round) {
    const Instant now = moment(round * 100ms);
    done += 10;
    for (const auto& [worker, number] : queues.due_beacons(now, 1s)) {
      queues.beacon_came({.worker = worker,
                          .number = number,
                          .queued = worker == "fast" ? 0U : 50U,
                          .done = worker == "fast" ? done : 0U},
                         now + 10ms);
    }
    queues.tick(now + 50ms);
  }
  EXPECT_GT(queues.share("fast"), 2 * queues.share("slow"));
  EXPECT_GT(queues.share("slow"), 0);
}

// Against a plain map of who has what.
RC_GTEST_PROP(WorkerQueuesProperty, NothingIsLostAndNobodyGetsTooMuch, ()) {
  const auto policies = every_policy();
  const auto& policy = policies[*rc::gen::inRange<std::size_t>(0, policies.size())];
  const auto per_worker = *rc::gen::inRange<std::uint32_t>(1, 4);
  WorkerQueues queues(policy, per_worker, kSeed);
  std::map<std::string, std::size_t> capacity;
  std::map<ChunkAddress, std::string> where;
  std::uint64_t next = 0;
  Instant now{};
  const auto load_of = [&](const std::string& worker) {
    std::size_t load = 0;
    for (const auto& [placed, at_worker] : where) load += at_worker == worker ? 1 : 0;
    return load;
  };
  for (const auto choice :
       *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 100))) {
    now += 1ms;
    const std::string worker = fmt::format("w{}", choice % 5);
    if (choice < 10) {
      queues.join(worker, 1 + choice % 3, now);
      capacity.try_emplace(worker, per_worker + choice % 3);
    } else if (choice < 20) {
      const auto left = queues.leave(worker, now);
      RC_ASSERT(left.size() == load_of(worker));
      for (const auto& lost : left) {
        RC_ASSERT(where.at(lost) == worker);
        where.erase(lost);
      }
      capacity.erase(worker);
    } else if (choice < 70) {
      const auto chosen = queues.place(chunk(next), 1ms, now);
      std::size_t room = 0;
      for (const auto& [name, most] : capacity) room += most - load_of(name);
      RC_ASSERT(chosen.has_value() == (room > 0));
      if (chosen) where.emplace(chunk(next), *chosen);
      if (chosen) RC_ASSERT(load_of(*chosen) <= capacity.at(*chosen));
      ++next;
    } else if (!where.empty()) {
      const auto done = where.begin()->first;
      queues.let_go(done, now);
      where.erase(done);
    }
    RC_ASSERT(queues.placed() == where.size());
  }
}

}  // namespace
}  // namespace artel::cluster::detail
