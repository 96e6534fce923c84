#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <latch>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/policy_text.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/detail/tick_clock.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/pool/priority.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::pool::detail {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using trace::TaskOutcome;
using trace::TaskRecord;
using trace::TaskTrace;

class PoolRecording : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "a.trace"; }

  [[nodiscard]] TaskTrace read() const {
    std::ifstream in(file(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    auto trace = trace::read_trace(std::as_bytes(std::span(bytes)), "a.trace");
    EXPECT_TRUE(trace) << trace.error().what;
    for (const TaskRecord& task : trace->tasks) EXPECT_TRUE(trace::plausible(task));
    return *trace;
  }

  static std::array<std::size_t, trace::kTaskOutcomes> outcomes(const TaskTrace& trace) {
    std::array<std::size_t, trace::kTaskOutcomes> counts{};
    for (const TaskRecord& task : trace.tasks) ++counts[static_cast<std::size_t>(task.outcome)];
    return counts;
  }

  TemporaryFolder folder_;
};

TEST_F(PoolRecording, HasEveryTaskFromTheFirstOnWithItsOutcome) {
  constexpr std::size_t kTasks = 20'000;
  Pool pool{{.workers = 2}};
  for (std::size_t i = 0; i < kTasks; ++i) pool.post([] {});  // unrecorded: short, rarely measured
  ASSERT_TRUE(pool.wait_idle());
  ASSERT_TRUE(pool.record(file(), {.loop = trace::Loop::open, .load = "as fast as it goes"}));
  std::stop_source stopped;
  stopped.request_stop();
  for (std::size_t i = 0; i < kTasks; ++i) {
    pool.post([i] {
      if (i % 100 == 0) throw 1;
    });
    static_cast<void>(pool.submit([] {}));
  }
  pool.post([] {}, {.deadline = steady_now()});
  pool.post([] {}, {.stop = stopped.get_token()});
  pool.submit([] {}, {.size = milliseconds(3)}).get();
  ASSERT_TRUE(pool.wait_idle());
  const auto recording = pool.stop_recording();
  ASSERT_TRUE(recording) << recording.error().what;
  EXPECT_EQ(recording->dropped, 0U);
  for (std::size_t i = 0; i < kTasks; ++i) pool.post([] {});
  pool.stop();

  const TaskTrace trace = read();
  EXPECT_EQ(outcomes(trace),
            (std::array<std::size_t, 5>{2 * kTasks - kTasks / 100 + 1, kTasks / 100, 1, 1, 0}));
  EXPECT_EQ(trace.tasks.back().size, milliseconds(3));
  EXPECT_EQ(trace.header.loop, trace::Loop::open);
  EXPECT_EQ(trace.header.setting("load"), "as fast as it goes");
  EXPECT_FALSE(trace.header.setting("clock").empty());
  EXPECT_TRUE(trace.complete);
  EXPECT_GE(trace.tasks.front().submitted, trace.header.started);
}

TEST_F(PoolRecording, SaysHowThePoolWasMade) {
  {
    Pool pool{{.name = "requests",
               .workers = 2,
               .workers_max = 3,
               .queues = {1, 2, 3},
               .dispatch = dispatch::Jsq{.d = 3}}};
    ASSERT_TRUE(pool.record(file()));
  }  // the pool's end is the recording's
  const TaskTrace trace = read();
  EXPECT_TRUE(trace.complete);
  EXPECT_EQ(trace.header.setting("pool.name"), "requests");
  EXPECT_EQ(trace.header.setting("pool.workers"), "2");
  EXPECT_EQ(trace.header.setting("pool.workers_max"), "3");
  EXPECT_EQ(trace.header.setting("pool.queues"), "1, 2, 3");
  EXPECT_EQ(trace.header.setting("pool.when_full"), "block");
  EXPECT_TRUE(dispatch::parse_policy(trace.header.setting("policy")));
  EXPECT_EQ(trace.header.setting("policy"), "jsq(d=3; busyness=queued)");
}

TEST_F(PoolRecording, HasWhatWasRefusedAndWhereTasksWaited) {
  Pool pool{{.workers = 1, .queue = 1, .common = 2, .when_full = dispatch::WhenFull::reject}};
  ASSERT_TRUE(pool.record(file()));
  std::latch running(1);
  std::latch release(1);
  pool.post([&] {
    running.count_down();
    release.wait();
  });
  running.wait();
  int accepted = 0;
  while (pool.post([] {}) == Admission::accepted) ++accepted;
  EXPECT_EQ(accepted, 3);
  EXPECT_FALSE(pool.try_submit([] {}));
  release.count_down();
  ASSERT_TRUE(pool.wait_idle());
  ASSERT_TRUE(pool.stop_recording());
  const TaskTrace trace = read();
  ASSERT_EQ(trace.tasks.size(), 6U);
  EXPECT_EQ(outcomes(trace), (std::array<std::size_t, 5>{4, 0, 0, 0, 2}));
  EXPECT_EQ(trace.tasks[0].worker, WorkerId{0});
  EXPECT_EQ(trace.tasks[2].queued_common, 0U);
  EXPECT_EQ(trace.tasks[3].queued_common, 1U);
  EXPECT_EQ(trace.tasks[1].bound, trace.tasks[1].submitted);  // into the worker's own queue
  EXPECT_GT(trace.tasks[3].bound, trace.tasks[3].submitted);  // by way of the common one
  EXPECT_EQ(trace.tasks[5].worker, TaskRecord::kNobody);
  EXPECT_EQ(trace.tasks[5].queued_common, 2U);
}

TEST_F(PoolRecording, KnowsCoroutinesAndPriorities) {
  Pool pool{{.workers = 1}};
  ASSERT_TRUE(pool.record(file()));
  std::latch running(1);
  std::latch release(1);
  pool.post([&] {
    running.count_down();
    release.wait();
  });
  running.wait();
  const auto coroutine = [](Pool& in) -> Future<void> { co_await in.schedule(); };
  auto resumed = coroutine(pool);
  pool.post([] {}, {.priority = Priority::low});
  release.count_down();
  resumed.get();
  ASSERT_TRUE(pool.wait_idle());
  ASSERT_TRUE(pool.stop_recording());
  const TaskTrace trace = read();
  ASSERT_EQ(trace.tasks.size(), 3U);
  EXPECT_EQ(outcomes(trace)[0], 3U);
  EXPECT_EQ(trace.tasks[1].worker, WorkerId{0});
  EXPECT_EQ(trace.tasks[2].priority, 2U);
}

TEST_F(PoolRecording, TasksThatFollowStraightOnShareATimeAndNeverOverlap) {
  constexpr int kTasks = 20;
  Pool pool{{.workers = 1}};
  ASSERT_TRUE(pool.record(file()));
  std::latch started(1), go(1);
  pool.post([&] {
    started.count_down();
    go.wait();
  });
  started.wait();
  for (int i = 0; i < kTasks; ++i) pool.post([] {});
  go.count_down();
  ASSERT_TRUE(pool.wait_idle());
  EXPECT_EQ(pool.submit([] { return 1; }).get(), 1);  // after a pause
  ASSERT_TRUE(pool.wait_idle());
  ASSERT_TRUE(pool.stop_recording());
  const auto tasks = read().tasks;
  ASSERT_EQ(tasks.size(), kTasks + 2U);
  for (std::size_t i = 1; i + 1 < tasks.size(); ++i) {
    EXPECT_EQ(tasks[i].started, tasks[i - 1].finished) << i;
  }
  EXPECT_GE(tasks.back().started, tasks.back().submitted);
  EXPECT_GE(tasks.back().submitted, tasks[kTasks].finished);
}

TEST_F(PoolRecording, ErrorsLeaveThePoolAtWork) {
  Pool pool{{.workers = 1}};
  EXPECT_EQ(pool.stop_recording().error().code, ErrorCode::invalid);
  EXPECT_THAT(pool.record(folder_.path() / "none" / "a.trace").error().what,
              HasSubstr("cannot create"));
  EXPECT_THAT(pool.record("/dev/full").error().what, HasSubstr("No space left"));
  EXPECT_FALSE(pool.recording());
  ASSERT_TRUE(pool.record(file()));
  EXPECT_EQ(pool.record(file()).error().code, ErrorCode::invalid);
  EXPECT_TRUE(pool.recording());
  EXPECT_EQ(pool.submit([] { return 42; }).get(), 42);
  EXPECT_TRUE(pool.stop_recording());
}

TEST_F(PoolRecording, StartsAndStopsWhileThreadsSubmit) {
  Pool pool{{.workers = 2}};
  std::vector<std::jthread> submitters;
  for (int t = 0; t < 2; ++t) {
    submitters.emplace_back([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        for (int i = 0; i < 100; ++i) pool.post([] {});
        pool.submit([] {}).get();
      }
    });
  }
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(pool.record(file(), {.recorder = {.flush_every = milliseconds(1)}}));
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a recording is under way
    while (pool.recording().value().bytes < 2'000) std::this_thread::yield();
    const auto recording = pool.stop_recording();
    ASSERT_TRUE(recording);
    const TaskTrace trace = read();
    ASSERT_EQ(trace.tasks.size(), recording->tasks);
    for (const TaskRecord& task : trace.tasks) {
      ASSERT_GE(task.submitted, trace.header.started);
    }
  }
  for (auto& submitter : submitters) submitter.request_stop();
  submitters.clear();
  pool.stop();
  EXPECT_EQ(pool.stats().accepted, pool.stats().total.outcomes.ended());
}

TEST(TickClock, GoesWithTheClockOfThePool) {
  tick_clock.calibrate();
  const Instant before = steady_now();
  const Instant ticks = tick_clock.now();
  const Instant after = steady_now();
  EXPECT_GE(ticks, before - milliseconds(1));
  EXPECT_LE(ticks, after + milliseconds(1));
}

TEST_F(PoolRecording, HasDeadlinesAndTheSizesOfThePool) {
  Pool pool{{.workers = 1, .workers_max = 3}};
  ASSERT_TRUE(pool.resize(2));
  ASSERT_TRUE(pool.record(file()));
  const auto deadline = later(steady_now(), std::chrono::hours(1));
  pool.submit([] {}, {.deadline = deadline}).get();
  pool.submit([] {}).get();
  EXPECT_EQ(pool.submit([] {}, {.deadline = steady_now() - milliseconds(5)}).result().error().code,
            ErrorCode::expired);
  ASSERT_TRUE(pool.wait_idle());  // the Future of what has expired is ready before its turn comes
  ASSERT_TRUE(pool.resize(3));
  ASSERT_TRUE(pool.resize(1));
  ASSERT_TRUE(pool.stop_recording());
  const auto trace = read();
  ASSERT_EQ(trace.tasks.size(), 3U);
  EXPECT_GT(trace.tasks[0].patience, std::chrono::minutes(59));
  EXPECT_LE(trace.tasks[0].patience, std::chrono::hours(1));
  EXPECT_EQ(trace.tasks[1].patience, kForever);
  EXPECT_EQ(trace.tasks[2].patience, Duration::zero());
  EXPECT_EQ(trace.tasks[2].outcome, TaskOutcome::expired);
  ASSERT_EQ(trace.sizes.size(), 3U);
  EXPECT_EQ(trace.sizes[0].workers, 2U);
  EXPECT_EQ(trace.sizes[1].workers, 3U);
  EXPECT_EQ(trace.sizes[2].workers, 1U);
  EXPECT_LE(trace.header.started, trace.sizes[0].at);
  EXPECT_LE(trace.sizes[0].at, trace.tasks[0].submitted);
  EXPECT_LE(trace.tasks[2].finished, trace.sizes[1].at);
}

}  // namespace
}  // namespace artel::pool::detail
