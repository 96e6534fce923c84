#include "artel/dispatch/c3.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
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
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kNow{seconds(100)};

Load answers_in(int latency_ms, std::uint32_t queued = 0) {
  return {.queued = queued, .latency = milliseconds(latency_ms), .heard = kNow};
}

std::optional<WorkerId> decision(const C3& policy, const std::vector<Load>& loads) {
  return choose(policy, LoadArray(loads), Draw{.dice = 7, .now = kNow});
}

// Servers of 20 and 4 ms: 20 tasks at the slow one balance 35 at the fast one, 21 times the cube
// root of 5, less 1. A linear rank would balance 104.
TEST(C3, QueuesBalanceByTheCubeRootOfSpeeds) {
  EXPECT_EQ(std::lround(21 * std::cbrt(5.0) - 1), 35);
  EXPECT_EQ(decision({}, {answers_in(20, 20), answers_in(4, 34)}), WorkerId{1});
  EXPECT_EQ(decision({}, {answers_in(20, 20), answers_in(4, 35)}), WorkerId{0});
}

TEST(C3, TasksOfItsOwnCountAsManyTimesAsThereAreClients) {
  // 10 × 2³, 3³ and 4³ against 300.
  EXPECT_EQ(decision({}, {answers_in(10, 1), answers_in(300)}), WorkerId{0});
  EXPECT_EQ(decision({.clients = 2}, {answers_in(10, 1), answers_in(300)}), WorkerId{0});
  EXPECT_EQ(decision({.clients = 3}, {answers_in(10, 1), answers_in(300)}), WorkerId{1});
}

TEST(C3, WhereAllAreEquallyFastItJoinsTheShortestQueue) {
  for (std::uint64_t dice = 0; dice < 1000; ++dice) {
    const std::vector<Load> loads{answers_in(10, 3), answers_in(10, 1), answers_in(10, 1),
                                  answers_in(10, 2)};
    const Draw draw{.dice = dice, .now = kNow};
    EXPECT_EQ(choose(C3{}, LoadArray(loads), draw),
              choose(Jsq{.d = Jsq::kAll}, LoadArray(loads), draw));
  }
}

TEST(C3, ALatencyFadesAndWhoHasNotAnsweredCountsAsInitial) {
  Load slow = answers_in(1000);
  slow.heard = kNow - seconds(60);
  EXPECT_EQ(decision({}, {answers_in(10), slow}), WorkerId{1});
  EXPECT_EQ(decision({.decay = seconds(60)}, {answers_in(10), slow}), WorkerId{0});
  EXPECT_EQ(decision({}, {answers_in(20), Load{}}), WorkerId{0});
  EXPECT_EQ(decision({.initial = milliseconds(5)}, {answers_in(20), Load{}}), WorkerId{1});
}

TEST(C3, LooksAtDDifferentWorkers) {
  std::map<std::optional<WorkerId>, int> count;
  const std::vector<Load> loads{answers_in(10), answers_in(20), answers_in(30)};
  for (std::uint64_t dice = 0; dice < 30'000; ++dice)
    ++count[choose(C3{.d = 2}, LoadArray(loads), Draw{.dice = dice, .now = kNow})];
  EXPECT_NEAR(count[WorkerId{0}], 20'000, 500);
  EXPECT_NEAR(count[WorkerId{1}], 10'000, 500);
  EXPECT_EQ(count[WorkerId{2}], 0);
}

TEST(C3, KeepsAMeanOfTheLatencyNotItsPeak) {
  const auto needed = needs(C3{.decay = milliseconds(5)});
  EXPECT_FALSE(needed.latency.peak);
  EXPECT_EQ(needed.latency.decay, milliseconds(5));
  EXPECT_TRUE(needs(PeakEwma{}).latency.peak);
}

TEST(C3, NamesTellItsSettingsApart) {
  EXPECT_EQ(name(C3{}), "c3");
  EXPECT_EQ(name(C3{.d = 2}), "c3(2)");
  EXPECT_EQ(name(C3{.clients = 8}), "c3(8 clients)");
  EXPECT_EQ(name(C3{.d = 2, .clients = 8}), "c3(2, 8 clients)");
}

}  // namespace
}  // namespace artel::dispatch
