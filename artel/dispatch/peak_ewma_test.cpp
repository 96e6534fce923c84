#include "artel/dispatch/peak_ewma.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kNow{seconds(100)};

struct Answered {
  int latency_ms;
  std::uint32_t queued = 0;
  Instant heard = kNow;
};

LoadArray answered(const std::vector<Answered>& workers) {
  std::vector<Load> loads;
  for (const Answered& one : workers) {
    loads.push_back(
        Load{.queued = one.queued, .latency = milliseconds(one.latency_ms), .heard = one.heard});
  }
  return LoadArray(loads);
}

std::optional<WorkerId> of_all(const LoadArray& loads, const PeakEwma& policy = {.d = Jsq::kAll}) {
  return choose(policy, loads, Draw{.dice = 7, .now = kNow});
}

TEST(PeakEwma, TakesTheLeastProductOfLatencyAndTasks) {
  EXPECT_EQ(of_all(answered({{30}, {10}, {20}})), WorkerId{1});
  EXPECT_EQ(of_all(answered({{30}, {10, 3}, {20}})), WorkerId{2});  // 30, 40, 20
}

TEST(PeakEwma, ALatencyFadesSoThatASlowWorkerIsTriedAgain) {
  const auto loads = answered({{10}, {1000, 0, kNow - seconds(60)}});
  EXPECT_EQ(of_all(loads), WorkerId{1});  // 1000 × e^-6 < 10
  EXPECT_EQ(of_all(loads, {.d = Jsq::kAll, .decay = seconds(60)}), WorkerId{0});
}

TEST(PeakEwma, WhoHasNotAnsweredYetCountsAsInitial) {
  LoadArray loads = answered({{20}, {0}});
  loads.set(WorkerId{1}, Load{});
  EXPECT_EQ(of_all(loads), WorkerId{0});
  EXPECT_EQ(of_all(loads, {.d = Jsq::kAll, .initial = milliseconds(5)}), WorkerId{1});
}

TEST(PeakEwma, DrawsDifferentWorkersEachPairAlike) {
  // The slowest of three is chosen only if it is drawn twice.
  const auto loads = answered({{10}, {20}, {30}});
  std::map<std::optional<WorkerId>, int> count;
  for (std::uint64_t dice = 0; dice < 30'000; ++dice) {
    ++count[choose(PeakEwma{}, loads, Draw{.dice = dice, .now = kNow})];
  }
  EXPECT_NEAR(count[WorkerId{0}], 20'000, 500);
  EXPECT_NEAR(count[WorkerId{1}], 10'000, 500);
  EXPECT_EQ(count[WorkerId{2}], 0);
}

TEST(PeakEwma, TiesFallByChance) {
  const auto loads = answered({{10}, {10}, {10}, {10}});
  for (const std::uint32_t d : {3U, Jsq::kAll}) {
    std::map<std::optional<WorkerId>, int> count;
    for (std::uint64_t dice = 0; dice < 40'000; ++dice) {
      ++count[choose(PeakEwma{.d = d}, loads, Draw{.dice = dice, .now = kNow})];
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(count[worker(i)], 10'000, 500) << d;
  }
}

TEST(PeakEwma, WhenTheDrawnAreFullAnyoneWithRoom) {
  std::vector<Load> loads(10, Load{.queued = 2, .capacity = 2});
  loads[6].queued = 1;
  for (std::uint64_t dice = 0; dice < 100; ++dice) {
    EXPECT_EQ(choose(PeakEwma{}, LoadArray(loads), Draw{.dice = dice}), WorkerId{6});
  }
  loads[6].queued = 2;
  EXPECT_FALSE(choose(PeakEwma{}, LoadArray(loads), Draw{}));
}

}  // namespace
}  // namespace artel::dispatch
