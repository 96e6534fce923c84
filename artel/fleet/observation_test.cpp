#include "artel/fleet/observation.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/time_series.hpp"

namespace artel::fleet {
namespace {

using namespace std::chrono_literals;

Instant moment(Duration time) { return Instant{time}; }

void serve(Observation& observation, std::uint32_t worker, Duration start, Duration end) {
  observation.started(moment(start), WorkerId{worker}, moment(start));
  observation.finished(moment(end), WorkerId{worker});
}

TEST(Observation, FollowsTheTasksInTheSystem) {
  Observation observation(2);
  observation.arrived(moment(0ns));
  observation.started(moment(0ns), WorkerId{1}, moment(0ns));
  observation.arrived(moment(2ns));
  observation.finished(moment(3ns), WorkerId{1});
  observation.left(moment(3ns));
  observation.left(moment(3ns));
  observation.ended(moment(4ns));
  EXPECT_EQ(observation.in_system().means(), (std::vector<double>{1, 1, 2, 0}));
  EXPECT_EQ(observation.busy().means(), (std::vector<double>{1, 1, 1, 0}));
  EXPECT_EQ(observation.peak(), moment(2ns));
  EXPECT_EQ(observation.peak_in_system(), 2);
}

TEST(Observation, HasARowPerWorker) {
  Observation observation(3);
  observation.bound(moment(1ns), WorkerId{2}, +1);
  observation.ended(moment(2ns));
  ASSERT_EQ(observation.rows().size(), 3U);
  EXPECT_EQ(observation.workers_per_row(), 1U);
  EXPECT_EQ(observation.rows()[2].means(), (std::vector<double>{0, 1}));
  EXPECT_EQ(observation.rows()[0].means(), (std::vector<double>{0, 0}));
}

TEST(Observation, ManyWorkersShareRows) {
  Observation observation(1000);
  EXPECT_EQ(observation.workers_per_row(), 16U);
  ASSERT_EQ(observation.rows().size(), 63U);
  observation.bound(moment(0ns), WorkerId{999}, +1);
  observation.bound(moment(0ns), WorkerId{992}, +1);
  observation.ended(moment(1ns));
  EXPECT_EQ(observation.rows()[62].means(), (std::vector<double>{2}));
}

TEST(Observation, KeepsTheTasksThatTouchTheWindow) {
  Observation observation(1, TimeWindow{.from = moment(10ns), .to = moment(20ns)});
  serve(observation, 0, 5ns, 10ns);  // over when the window begins
  serve(observation, 0, 10ns, 12ns);
  serve(observation, 0, 19ns, 25ns);
  serve(observation, 0, 25ns, 26ns);
  ASSERT_EQ(observation.tasks().size(), 2U);
  EXPECT_EQ(observation.tasks()[0].start, moment(10ns));
  EXPECT_EQ(observation.tasks()[1].end, moment(25ns));
  EXPECT_EQ(observation.tasks_left_out(), 0U);
}

TEST(Observation, WindowAroundThePeakDoesNotBeginBeforeTheRun) {
  Observation observation(100);
  EXPECT_EQ(window_around_peak(observation, 1).from, Instant{});
  observation.arrived(moment(1h));
  const auto window = window_around_peak(observation, 1);
  EXPECT_EQ(window.from, moment(1h - 3125ms));  // 400 services over 64 workers
  EXPECT_EQ(window.to, moment(1h + 3125ms));
}

TEST(Observation, TasksOfTheWindowAreBounded) {
  Observation observation(1, TimeWindow{.from = moment(0ns), .to = moment(1h)});
  for (std::size_t i = 0; i < Observation::kTasksMax + 7; ++i) {
    const auto start = static_cast<std::int64_t>(i) * 1ns;
    serve(observation, 0, start, start + 1ns);
  }
  EXPECT_EQ(observation.tasks().size(), Observation::kTasksMax);
  EXPECT_EQ(observation.tasks_left_out(), 7U);
}

}  // namespace
}  // namespace artel::fleet
