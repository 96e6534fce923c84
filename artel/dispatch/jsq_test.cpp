#include "artel/dispatch/jsq.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

TEST(Jsq, OfAllWorkersTakesTheLeastBusy) {
  for (std::uint64_t dice = 0; dice < 50; ++dice) {
    const Jsq as_many{.d = 3, .different = true};
    EXPECT_EQ(choose(as_many, loads({3, 1, 2}), Draw{.dice = dice}), WorkerId{1});
    EXPECT_EQ(choose(Jsq{.d = Jsq::kAll}, loads({3, 1, 2}), Draw{.dice = dice}), WorkerId{1});
  }
}

TEST(Jsq, DrawsIndependently) {
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < 30'000; ++dice) {
    ++count[choose(Jsq{.d = 2}, loads({9, 1, 5}), Draw{.dice = dice})];
  }
  EXPECT_NEAR(count[WorkerId{0}], 3'333, 230);   // 1 of 9 pairs: itself twice
  EXPECT_NEAR(count[WorkerId{1}], 16'667, 350);  // 5 of 9: every pair it is in
  EXPECT_NEAR(count[WorkerId{2}], 10'000, 330);  // 3 of 9
}

// As many draws as workers, and more: with repetition they may all miss the least busy one.
TEST(Jsq, DrawsIndependentlyHoweverFewWorkersThereAre) {
  for (const std::uint32_t d : {1U, 2U, 3U, 5U}) {
    for (const std::uint32_t workers : {1U, 2U, 3U}) {
      std::vector<Load> queues(workers, Load{.queued = 9});
      queues.back().queued = 1;
      int least = 0;
      constexpr int kDecisions = 20'000;
      for (std::uint64_t dice = 0; dice < kDecisions; ++dice) {
        const auto chosen = choose(Jsq{.d = d}, LoadArray(queues), Draw{.dice = dice});
        least += chosen == worker(workers - 1) ? 1 : 0;
      }
      const double missed = std::pow(1 - 1.0 / workers, d);
      EXPECT_NEAR(least, kDecisions * (1 - missed), 300) << d << " of " << workers;
    }
  }
}

TEST(Jsq, AmongEqualsEveryWorkerIsEquallyLikely) {
  for (const std::uint32_t d : {1U, 2U, 5U, Jsq::kAll}) {
    std::map<std::optional<WorkerId>, int> count;
    for (std::uint64_t dice = 0; dice < 60'000; ++dice) {
      ++count[choose(Jsq{.d = d}, loads({1, 1, 1, 1, 1, 1}), Draw{.dice = dice})];
    }
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(count[worker(i)], 10'000, 400);
  }
}

TEST(Jsq, WhenAllItLooksAtAreFullAnyoneWithRoomServes) {
  for (std::uint64_t dice = 0; dice < 100; ++dice) {
    EXPECT_EQ(choose(Jsq{.d = 2}, loads({2, 2, 2, 2, 1, 2}, 2), Draw{.dice = dice}), WorkerId{4});
  }
  EXPECT_FALSE(choose(Jsq{}, loads({2, 2}, 2), Draw{}));
  EXPECT_FALSE(choose(Jsq{}, loads({}), Draw{}));
}

TEST(Jsq, BusynessDecides) {
  const LoadArray queues({{.queued = 4, .weight = 8}, {.queued = 1, .weight = 1}});
  EXPECT_EQ(choose(Jsq{2, Measure::weighted}, queues, Draw{}), WorkerId{0});
}

// Many workers: queues of 0 to 3 tasks, some of them full, those of no task every fifth.
std::vector<Load> many_queues() {
  std::vector<Load> queues;
  for (std::uint32_t i = 0; i < 5 * 40; ++i)
    queues.push_back({.queued = i % 5, .capacity = i % 7 == 0 ? i % 5 : kUnbounded});
  return queues;
}

IndexedLoads indexed(const std::vector<Load>& queues, const Policy& policy) {
  IndexedLoads loads(needs(policy));
  loads.resize(queues.size());
  for (std::size_t i = 0; i < queues.size(); ++i) loads.set(worker(i), queues[i]);
  return loads;
}

TEST(Jsq, OfManyWorkersAnIndexNamesWhomAScanNames) {
  for (const Busyness& busyness :
       {Busyness(), Busyness(Measure::occupancy), Busyness(Measure::weighted),
        Busyness(Measure::delay), Busyness([](const Load& load) { return -1.0 * load.queued; })}) {
    const Policy policy = Jsq{.d = Jsq::kAll, .busyness = busyness};
    const auto loads = indexed(many_queues(), policy);
    ASSERT_TRUE(loads.indexes(busyness));
    for (std::uint64_t dice = 0; dice < 500; ++dice)
      EXPECT_EQ(choose(policy, loads, {.dice = dice}),
                choose(policy, LoadArray(many_queues()), {.dice = dice}));
  }
}

TEST(Jsq, OfManyWorkersEveryTiedOneIsEquallyLikely) {
  std::map<std::optional<WorkerId>, int> count;
  const LoadArray queues(many_queues());
  constexpr std::uint64_t kEach = 1'000;
  const std::uint64_t tied = 40 - 6;  // those of no task, but for the full ones: 0, 35, 70 …
  for (std::uint64_t dice = 0; dice < kEach * tied; ++dice)
    ++count[choose(Jsq{.d = Jsq::kAll}, queues, Draw{.dice = dice})];
  EXPECT_EQ(count.size(), tied);
  for (const auto& [chosen, times] : count) {
    EXPECT_EQ(queues.load(chosen.value_or(WorkerId{1})).queued, 0U);
    EXPECT_NEAR(times, 1'000, 160);
  }
}

TEST(Jsq, OfManyFullWorkersNoneIsNamed) {
  std::vector<Load> queues(200, Load{.queued = 2, .capacity = 2});
  const Policy policy = Jsq{.d = Jsq::kAll};
  EXPECT_FALSE(choose(policy, LoadArray(queues), Draw{}));
  EXPECT_FALSE(choose(policy, indexed(queues, policy), Draw{}));
}

// As a pool's loads may: who was idle at the first look is busy at the second.
class BusyAtSecondLook : public ScanningView<BusyAtSecondLook> {
 public:
  explicit BusyAtSecondLook(std::size_t idle) : looks_(200), idle_(idle) {}
  [[nodiscard]] std::size_t size() const { return looks_.size(); }
  [[nodiscard]] Load load(WorkerId id) const {
    const bool again = looks_[index(id)]++ > 0;
    return {.queued = again && index(id) >= idle_ ? 1U : 0U};
  }

 private:
  mutable std::vector<int> looks_;
  std::size_t idle_;
};

TEST(Jsq, OfManyWorkersWhoseLoadsChangeOneThatWasOfTheLeastIsNamed) {
  for (std::uint64_t dice = 0; dice < 100; ++dice) {
    const auto chosen = choose(Jsq{.d = Jsq::kAll}, BusyAtSecondLook(3), Draw{.dice = dice});
    EXPECT_LT(index(chosen.value_or(WorkerId{99})), 3U);
    EXPECT_EQ(choose(Jsq{.d = Jsq::kAll}, BusyAtSecondLook(0), Draw{.dice = dice}), WorkerId{0});
  }
}

}  // namespace
}  // namespace artel::dispatch
