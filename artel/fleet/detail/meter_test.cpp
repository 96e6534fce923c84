#include "artel/fleet/detail/meter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

Instant at(Duration time) { return Instant{time}; }

TEST(Meter, MeasuresOneTask) {
  const ReplicationOptions options;
  Meter meter(options, 2);
  EXPECT_TRUE(meter.arrived(at(0s)));
  meter.grew(at(0s), WorkerId{0}, 1);
  meter.started(at(1s), WorkerId{0}, at(0s));
  meter.finished(at(4s), WorkerId{0});
  meter.shrank(at(4s), WorkerId{0}, 0);
  meter.completed(at(4s), at(0s), at(1s), true);
  meter.source_ended(at(8s));
  const auto result = meter.result();
  EXPECT_EQ(result.completed, 1U);
  EXPECT_DOUBLE_EQ(result.response.mean, 4);
  EXPECT_DOUBLE_EQ(result.wait.max, 1);
  EXPECT_DOUBLE_EQ(result.wait_probability, 1);
  EXPECT_DOUBLE_EQ(result.in_system, 0.5);            // one task for 4 of 8 seconds
  EXPECT_DOUBLE_EQ(result.utilisation, 3.0 / 8 / 2);  // one of two workers for 3 of 8 seconds
  EXPECT_DOUBLE_EQ(result.beyond[0], 4.0 / 8 / 2);
  EXPECT_DOUBLE_EQ(result.beyond[1], 0);
}

TEST(Meter, LeavesTheFirstTasksOut) {
  const ReplicationOptions options{.warm_up_tasks = 1};
  Meter meter(options, 1);
  EXPECT_FALSE(meter.arrived(at(0s)));
  meter.started(at(0s), WorkerId{0}, at(0s));
  EXPECT_TRUE(meter.arrived(at(10s)));
  meter.finished(at(10s), WorkerId{0});
  meter.completed(at(10s), at(0s), at(0s), false);
  meter.started(at(10s), WorkerId{0}, at(10s));
  meter.source_ended(at(12s));
  meter.finished(at(12s), WorkerId{0});
  meter.completed(at(12s), at(10s), at(10s), true);
  const auto result = meter.result();
  EXPECT_EQ(result.tasks, 2U);
  EXPECT_EQ(result.arrived, 1U);
  EXPECT_DOUBLE_EQ(result.response.mean, 2);
  EXPECT_DOUBLE_EQ(result.window_s, 2);
  EXPECT_DOUBLE_EQ(result.utilisation, 1);
}

TEST(Meter, WarmUpByTimeCountsFromThereOn) {
  const ReplicationOptions options{.warm_up = 5s};
  Meter meter(options, 1);
  EXPECT_FALSE(meter.arrived(at(4s)));
  EXPECT_TRUE(meter.arrived(at(5s)));
}

TEST(Meter, RejectedTasksAreAShareOfThoseThatArrived) {
  const ReplicationOptions options;
  Meter meter(options, 1);
  for (int i = 0; i < 4; ++i) {
    const bool counted = meter.arrived(at(1s));
    if (i == 0) meter.rejected(at(1s), counted);
  }
  meter.source_ended(at(1s));
  EXPECT_DOUBLE_EQ(meter.result().rejected_share, 0.25);
}

// A thousand tasks that run as long as they waited: the k-th waits for k seconds.
Replication thousand_tasks() {
  const ReplicationOptions options;
  Meter meter(options, 1);
  for (int k = 1; k <= 1000; ++k) static_cast<void>(meter.arrived(at(0s)));
  for (int k = 1; k <= 1000; ++k) {
    const auto wait = std::chrono::seconds(k);
    meter.completed(at(2 * wait), at(0s), at(wait), true);
  }
  meter.source_ended(at(2000s));
  return meter.result();
}

TEST(Meter, SummarisesByRanks) {
  const auto result = thousand_tasks();
  const auto right = [](double seconds) {  // to kHistogramBits
    return testing::DoubleNear(seconds, 0.001 * seconds);
  };
  EXPECT_THAT(result.wait.mean, right(500.5));
  EXPECT_THAT(result.wait.p50, right(500));
  EXPECT_THAT(result.wait.p90, right(900));
  EXPECT_THAT(result.wait.p95, right(950));
  EXPECT_THAT(result.wait.p99, right(990));
  EXPECT_THAT(result.wait.p999, right(999));
  EXPECT_THAT(result.wait.max, right(1000));
  EXPECT_THAT(result.response.p99, right(1980));
}

TEST(Meter, AnObjectiveFindsItsOwnStatistic) {
  using scenario::Quantity;
  using scenario::Statistic;
  auto result = thousand_tasks();
  result.completed = 1000;
  for (const auto& [quantity, summary] :
       {std::pair{Quantity::response, result.response}, std::pair{Quantity::wait, result.wait}}) {
    EXPECT_EQ(value_of(result, quantity, Statistic::mean), summary.mean);
    EXPECT_EQ(value_of(result, quantity, Statistic::p50), summary.p50);
    EXPECT_EQ(value_of(result, quantity, Statistic::p90), summary.p90);
    EXPECT_EQ(value_of(result, quantity, Statistic::p95), summary.p95);
    EXPECT_EQ(value_of(result, quantity, Statistic::p99), summary.p99);
    EXPECT_EQ(value_of(result, quantity, Statistic::p999), summary.p999);
    EXPECT_EQ(value_of(result, quantity, Statistic::max), summary.max);
  }
  EXPECT_EQ(value_of({.rejected_share = 0.25, .arrived = 4}, Quantity::rejected, Statistic::mean),
            0.25);
}

}  // namespace
}  // namespace artel::fleet::detail
