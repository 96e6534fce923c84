#include "artel/dispatch/prequal.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/probe_pool.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;

struct Known {
  std::uint32_t queued;
  int latency_ms;
};

// One answer of each worker; who has 5 tasks or more is hot.
ProbePool known(const std::vector<Known>& workers) {
  ProbePool pool{.hot_from = 5};
  for (std::size_t i = 0; i < workers.size(); ++i)
    pool.probes.push_back({.worker = worker(i),
                           .queued = workers[i].queued,
                           .latency = milliseconds(workers[i].latency_ms)});
  return pool;
}

std::optional<WorkerId> decision(const ProbePool& pool, const LoadArray& loads,
                                 std::uint64_t dice = 7) {
  return choose(Prequal{}, loads, Draw{.dice = dice, .probes = &pool});
}

// Of that many workers, all idle.
std::map<std::optional<WorkerId>, int> decisions(const ProbePool& pool, std::size_t workers) {
  const LoadArray loads(std::vector<Load>(workers, Load{}));
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < 10'000; ++dice) ++count[decision(pool, loads, dice)];
  return count;
}

TEST(Prequal, OfThoseThatAreColdTheLeastLatency) {
  EXPECT_EQ(decision(known({{0, 30}, {4, 10}, {2, 20}}), loads({0, 0, 0})), WorkerId{1});
  EXPECT_EQ(decision(known({{9, 1}, {4, 30}, {5, 2}}), loads({0, 0, 0})), WorkerId{1});
}

TEST(Prequal, IfAllAreHotTheFewestTasks) {
  EXPECT_EQ(decision(known({{9, 1}, {6, 300}, {7, 2}}), loads({0, 0, 0})), WorkerId{1});
}

TEST(Prequal, WhoIsHotBeginsAtTheThreshold) {
  EXPECT_EQ(decision(known({{5, 1}, {4, 300}}), loads({0, 0})), WorkerId{1});
  EXPECT_EQ(decision(known({{4, 1}, {3, 300}}), loads({0, 0})), WorkerId{0});
}

TEST(Prequal, TiesGoByTheOtherOfTheTwoThenByChance) {
  EXPECT_EQ(decision(known({{4, 10}, {3, 10}, {0, 11}}), loads({0, 0, 0})), WorkerId{1});
  EXPECT_EQ(decision(known({{6, 12}, {6, 11}, {7, 1}}), loads({0, 0, 0})), WorkerId{1});
  for (const Known& one : {Known{3, 10}, {6, 10}}) {
    auto count = decisions(known({one, {9, 1}, one, one}), 4);
    EXPECT_EQ(count[WorkerId{1}], 0);
    for (const auto id : {0U, 2U, 3U}) EXPECT_NEAR(count[WorkerId{id}], 3333, 250);
  }
}

TEST(Prequal, WorkersThatAreFullOrGoneArePassedOver) {
  const auto pool = known({{0, 10}, {0, 20}, {0, 30}});
  LoadArray some = loads({2, 1, 0}, 2);
  EXPECT_EQ(decision(pool, some), WorkerId{1});
  some.set(WorkerId{1}, Load{.capacity = 0});
  EXPECT_EQ(decision(pool, some), WorkerId{2});
  EXPECT_EQ(decision(pool, loads({2, 1}, 2)), WorkerId{1});
  EXPECT_EQ(decision(pool, loads({2, 2, 2, 1}, 2)), WorkerId{3}) << "of whom nothing is known";
  EXPECT_EQ(decision(pool, loads({2, 2, 2}, 2)), std::nullopt);
}

TEST(Prequal, WithFewerThanTwoAnswersItIsRandom) {
  for (const auto& pool : {ProbePool{}, known({{0, 10}})}) {
    auto count = decisions(pool, 4);
    for (const auto id : {0U, 1U, 2U, 3U}) EXPECT_NEAR(count[WorkerId{id}], 2500, 250);
  }
  EXPECT_EQ(decisions(known({{0, 10}, {0, 11}}), 4)[WorkerId{0}], 10'000);
}

TEST(Prequal, NamesTellItsSettingsApart) {
  EXPECT_EQ(name(Prequal{}), "prequal");
  EXPECT_EQ(name(Prequal{.q_rif = 0.5}), "prequal(0.5)");
}

}  // namespace
}  // namespace artel::dispatch
