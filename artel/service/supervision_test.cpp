#include "artel/service/supervision.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace artel::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Instant at(int ms) { return Instant{milliseconds(ms)}; }

TEST(RestartBudget, DoublesTheWaitUpToItsMaximum) {
  RestartBudget budget({.restarts_max = 100,
                        .backoff_first = milliseconds(10),
                        .backoff_max = milliseconds(70),
                        .jitter = 0},
                       Seed{1});
  EXPECT_EQ(budget.failed(at(0), 1), milliseconds(10));
  EXPECT_EQ(budget.failed(at(1), 2), milliseconds(20));
  EXPECT_EQ(budget.failed(at(2), 3), milliseconds(40));
  EXPECT_EQ(budget.failed(at(3), 4), milliseconds(70));
  EXPECT_EQ(budget.failed(at(4), 1000), milliseconds(70));
  EXPECT_EQ(budget.failed(at(5), 1), milliseconds(10));
}

TEST(RestartBudget, GivesUpBeyondItsIntensityAndForgetsWhatIsOld) {
  RestartBudget budget({.restarts_max = 2, .restarts_within = milliseconds(100)}, Seed{1});
  EXPECT_TRUE(budget.failed(at(0), 1));
  EXPECT_TRUE(budget.failed(at(60), 1));
  EXPECT_TRUE(budget.failed(at(110), 1));  // the first is over 100 ms ago
  EXPECT_FALSE(budget.failed(at(120), 1));
  budget.reset();
  EXPECT_TRUE(budget.failed(at(121), 1));
}

TEST(RestartBudget, NoRestartsAtAllIsAllowed) {
  RestartBudget budget({.restarts_max = 0}, Seed{1});
  EXPECT_FALSE(budget.failed(at(0), 1));
}

TEST(RestartBudget, JitterLeavesOutARandomShareThatTheSeedRepeats) {
  const Supervision supervision{.restarts_max = 1000,
                                .restarts_within = seconds(1),
                                .backoff_first = milliseconds(100),
                                .jitter = 0.5};
  RestartBudget one(supervision, Seed{1}), same(supervision, Seed{1}), other(supervision, Seed{2});
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto wait = one.failed(at(i), 1);
    ASSERT_TRUE(wait);
    EXPECT_LE(wait.value_or(Duration::max()), milliseconds(100));
    EXPECT_GT(wait.value_or(Duration{}), milliseconds(50) - Duration{1});
    EXPECT_EQ(wait, same.failed(at(i), 1));
    differs |= wait != other.failed(at(i), 1);
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace artel::service
