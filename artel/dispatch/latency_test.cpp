#include "artel/dispatch/latency.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/prequal.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kStart{seconds(5)};

TEST(Latency, TheFirstAnswerIsTheEstimate) {
  const auto latency = after_answer({}, milliseconds(40), kStart, {});
  EXPECT_EQ(latency.value, milliseconds(40));
  EXPECT_EQ(latency.heard, kStart);
}

TEST(Latency, APeakCountsAtOnceAndFasterAnswersByTheTimeThatPassed) {
  const LatencyLaw law{.decay = seconds(10)};
  const auto peak =
      after_answer({milliseconds(10), kStart}, milliseconds(500), kStart + seconds(1), law);
  EXPECT_EQ(peak.value, milliseconds(500));
  const auto after = after_answer(peak, milliseconds(100), kStart + seconds(11), law);
  EXPECT_NEAR(to_seconds(after.value), 0.5 * 0.367879 + 0.1 * 0.632121, 1e-6);
  // Slower than what is left of the peak: a peak again.
  const auto later = after_answer(peak, milliseconds(200), kStart + seconds(11), law);
  EXPECT_EQ(later.value, milliseconds(200));
}

TEST(Latency, WithoutPeaksItIsAMean) {
  const LatencyLaw law{.decay = seconds(10), .peak = false};
  const auto after =
      after_answer({milliseconds(100), kStart}, milliseconds(500), kStart + seconds(10), law);
  EXPECT_NEAR(to_seconds(after.value), 0.1 * 0.367879 + 0.5 * 0.632121, 1e-6);
}

TEST(Latency, PerTaskItIsAPartOfTheAnswersTime) {
  const LatencyLaw law{.per_task = true};
  EXPECT_EQ(counted(milliseconds(90), 3, law), milliseconds(30));
  EXPECT_EQ(counted(milliseconds(90), 1, law), milliseconds(90));
  EXPECT_EQ(counted(milliseconds(90), 0, law), milliseconds(90));
  EXPECT_EQ(counted(milliseconds(90), 3, LatencyLaw{}), milliseconds(90));
}

// Of three tasks, one is answered: what is kept is a third of its time.
TEST(Latency, LoadsKeepItPerTaskIfThePolicyWantsThat) {
  IndexedLoads loads(needs(Prequal{}));
  loads.resize(1);
  loads.set(WorkerId{0}, Load{.queued = 3});
  loads.advance(kStart);
  loads.answered(WorkerId{0}, milliseconds(90));
  EXPECT_EQ(loads.load(WorkerId{0}).latency, milliseconds(30));
  loads.failed(WorkerId{0}, milliseconds(89));
  EXPECT_EQ(loads.load(WorkerId{0}).latency, milliseconds(30)) << "no longer than it was thought";
  loads.advance(kStart + seconds(100));
  loads.failed(WorkerId{0}, milliseconds(89));
  EXPECT_NEAR(to_seconds(loads.load(WorkerId{0}).latency), 0.089 / 3, 1e-4);
}

TEST(Latency, FadesByItsAge) {
  EXPECT_EQ(faded(milliseconds(100), Duration{0}, seconds(10)), milliseconds(100));
  EXPECT_NEAR(to_seconds(faded(seconds(1), seconds(10), seconds(10))), 0.367879, 1e-6);
}

}  // namespace
}  // namespace artel::dispatch
