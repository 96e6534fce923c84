#include "artel/experiment/meter.hpp"

#include <gtest/gtest.h>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/replication.hpp"

namespace artel::experiment {
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

}  // namespace
}  // namespace artel::experiment
