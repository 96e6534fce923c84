#include "artel/pool/detail/worker_choice.hpp"

#include <gtest/gtest.h>

#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/maglev.hpp"
#include "artel/dispatch/peak_ewma.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/rendezvous.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {
namespace {

bool by_task(const dispatch::Policy& policy) {
  const PoolOptions options{.workers = 2, .workers_max = 2, .dispatch = policy};
  return WorkerChoice(options).by_task();
}

bool reads_clock(const dispatch::Policy& policy) {
  const PoolOptions options{.workers = 2, .workers_max = 2, .dispatch = policy};
  return WorkerChoice(options).reads_clock();
}

TEST(WorkerChoice, IsByTaskIfThePolicyReadsAnythingOfTheTask) {
  EXPECT_TRUE(by_task(dispatch::Sita{.cutoffs = {Duration{10}}}));
  EXPECT_TRUE(by_task(dispatch::Rendezvous{}));
  EXPECT_TRUE(by_task(dispatch::Maglev{.places = 101}));
  EXPECT_TRUE(by_task(dispatch::Custom{})) << "it has not said what it reads";
  EXPECT_FALSE(by_task(dispatch::Jsq{}));
  EXPECT_FALSE(by_task(dispatch::PeakEwma{}));
}

// Sizes are counted for it, but it looks at none.
TEST(WorkerChoice, WorkThatWaitsIsNothingOfTheTask) {
  EXPECT_FALSE(by_task(dispatch::LeastWorkLeft{}));
  EXPECT_FALSE(by_task(dispatch::Jsq{.busyness = dispatch::Measure::work}));
  EXPECT_FALSE(by_task(dispatch::Custom{.reads = dispatch::PolicyInput::work}));
}

TEST(WorkerChoice, ReadsTheClockForTheTimeAndForWorkThatRunsOff) {
  EXPECT_TRUE(reads_clock(dispatch::PeakEwma{}));
  EXPECT_TRUE(reads_clock(dispatch::LeastWorkLeft{}));
  EXPECT_FALSE(reads_clock(dispatch::Jsq{}));
}

}  // namespace
}  // namespace artel::pool::detail
