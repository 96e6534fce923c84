// What a pool of threads does, and what the simulator does with the recording of it: the rows of
// the table in docs/prediction.md. A gate holds the worker while tasks come, so that what is
// compared does not depend on how fast the machine is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <latch>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/blocking.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/strand.hpp"
#include "artel/predict/replay.hpp"
#include "artel/trace/load_tasks.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using pool::Priority;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using trace::TaskOutcome;
using Tasks = std::vector<trace::TaskRecord>;

// A task that runs until it is let go.
class HeldTask {
 public:
  void post(pool::Pool& pool) {
    pool.post([this] {
      started_.count_down();
      go_.wait();
    });
  }
  void wait_started() { started_.wait(); }
  void open() { go_.count_down(); }

 private:
  std::latch started_{1}, go_{1};
};

// What a pool did, and what is predicted of it.
struct Both {
  trace::TaskTrace real;
  Prediction predicted;
};

Both run(pool::PoolOptions options, const std::function<void(pool::Pool&)>& load) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "run.trace";
  {
    pool::Pool pool(std::move(options));
    EXPECT_TRUE(pool.record(file.string(), {.loop = trace::Loop::open}));
    load(pool);
    EXPECT_TRUE(pool.wait_idle());
    EXPECT_TRUE(pool.stop_recording());
  }
  auto real = trace::load_tasks(file);
  EXPECT_TRUE(real) << to_string(real.error());
  auto predicted = replay(*real, {.replications = 3});
  EXPECT_TRUE(predicted) << to_string(predicted.error());
  return {*std::move(real), *std::move(predicted)};
}

// Which task started first, which then, of those that came in this order.
std::vector<std::size_t> order(const Tasks& tasks) {
  std::vector<std::size_t> numbers(tasks.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::ranges::sort(numbers, {}, [&](std::size_t i) { return std::pair(tasks[i].started, i); });
  return numbers;
}

std::vector<TaskOutcome> outcomes(const Tasks& tasks) {
  std::vector<TaskOutcome> all;
  for (const auto& task : tasks) all.push_back(task.outcome);
  return all;
}

bool overlap(const trace::TaskRecord& a, const trace::TaskRecord& b) {
  return a.started < b.finished && b.started < a.finished;
}

void some_work() { std::this_thread::sleep_for(1ms); }

TEST(Parity, Priorities) {
  using enum Priority;
  const auto both = run({.workers = 1}, [](pool::Pool& pool) {
    HeldTask gate;
    gate.post(pool);
    gate.wait_started();
    for (const auto priority : {low, normal, high, normal, low, high, normal})
      pool.post(some_work, {.priority = priority});
    gate.open();
    ASSERT_TRUE(pool.wait_idle());
  });
  EXPECT_THAT(order(both.real.tasks), ElementsAre(0, 3, 6, 2, 4, 7, 1, 5));
  EXPECT_EQ(order(both.predicted.same_work_tasks), order(both.real.tasks));
}

TEST(Parity, DeadlinesAndExpiry) {
  const auto both = run({.workers = 1}, [](pool::Pool& pool) {
    HeldTask gate;
    gate.post(pool);
    gate.wait_started();
    const auto soon = later(steady_now(), 2ms);
    const auto late = later(steady_now(), 1h);
    for (int i = 0; i < 3; ++i) {
      pool.post(some_work, {.deadline = soon});
      pool.post(some_work, {.deadline = late});
      pool.post(some_work);
    }
    std::this_thread::sleep_until(std::chrono::steady_clock::now() + 4ms);  // the deadline passes
    gate.open();
    ASSERT_TRUE(pool.wait_idle());
  });
  EXPECT_EQ(std::ranges::count(outcomes(both.real.tasks), TaskOutcome::expired), 3);
  EXPECT_EQ(outcomes(both.predicted.same_work_tasks), outcomes(both.real.tasks));
  EXPECT_GT(both.predicted.fitted_ns.count(), 0U);
}

TEST(Parity, Resizing) {
  const auto both = run({.workers = 1, .workers_max = 2}, [](pool::Pool& pool) {
    HeldTask first, second, third, fourth;
    first.post(pool);
    first.wait_started();
    second.post(pool);
    ASSERT_TRUE(pool.resize(2));
    second.wait_started();
    std::this_thread::sleep_for(50ms);  // both work, longer than a worker takes to wake
    first.open();
    second.open();
    ASSERT_TRUE(pool.wait_idle());
    ASSERT_TRUE(pool.resize(1));
    ASSERT_TRUE(pool.wait_resized());
    third.post(pool);
    fourth.post(pool);
    third.wait_started();
    third.open();
    fourth.open();
    ASSERT_TRUE(pool.wait_idle());
  });
  const auto& predicted = both.predicted.same_work_tasks;
  for (const auto& tasks : {both.real.tasks, predicted}) {
    ASSERT_EQ(tasks.size(), 4U);
    EXPECT_TRUE(overlap(tasks[0], tasks[1]));
    EXPECT_NE(tasks[0].worker, tasks[1].worker);
    EXPECT_FALSE(overlap(tasks[2], tasks[3]));
    EXPECT_EQ(tasks[2].worker, tasks[3].worker);
  }
}

// Whoever asks again submits a task: each try is one, in the pool and in its recording.
TEST(Parity, Retries) {
  constexpr int kRequests = 5, kTries = 3;
  const auto both = run({.workers = 2}, [](pool::Pool& pool) {
    for (int i = 0; i < kRequests; ++i) {
      for (int attempt = 1; attempt <= kTries; ++attempt) {
        auto answer = pool.submit([attempt] {
          some_work();
          if (attempt < kTries) throw attempt;
        });
        try {
          answer.get();
          break;
        } catch (int failed) {
          EXPECT_EQ(failed, attempt);
        }
      }
    }
  });
  EXPECT_EQ(std::ranges::count(outcomes(both.real.tasks), TaskOutcome::failed),
            kRequests * (kTries - 1));
  EXPECT_EQ(both.predicted.tasks, kRequests * kTries);
  EXPECT_EQ(both.predicted.same_work_tasks.size(), both.real.tasks.size());
}

// The pool replaces a worker that stalls, the simulator does not: the recording shows it.
TEST(Parity, Stalls) {
  const auto both = run({.workers = 1, .stall_after = 5ms}, [](pool::Pool& pool) {
    HeldTask stalled, next;
    stalled.post(pool);
    stalled.wait_started();
    next.post(pool);
    next.wait_started();
    next.open();
    std::this_thread::sleep_for(2ms);
    stalled.open();
    ASSERT_TRUE(pool.wait_idle());
  });
  ASSERT_EQ(both.real.tasks.size(), 2U);
  EXPECT_TRUE(overlap(both.real.tasks[0], both.real.tasks[1]));
  EXPECT_FALSE(overlap(both.predicted.same_work_tasks[0], both.predicted.same_work_tasks[1]));
}

// A task that waits inside lends its worker to others; the simulator's worker waits with it.
TEST(Parity, HandOver) {
  const auto both = run({.workers = 1}, [](pool::Pool& pool) {
    std::latch waits(1), go(1);
    pool.post([&] {
      waits.count_down();
      pool::blocking([&] { go.wait(); });
    });
    waits.wait();
    HeldTask other;
    other.post(pool);
    other.wait_started();
    std::this_thread::sleep_for(2ms);
    other.open();
    go.count_down();
    ASSERT_TRUE(pool.wait_idle());
  });
  ASSERT_EQ(both.real.tasks.size(), 2U);
  EXPECT_TRUE(overlap(both.real.tasks[0], both.real.tasks[1]));
  EXPECT_FALSE(overlap(both.predicted.same_work_tasks[0], both.predicted.same_work_tasks[1]));
  EXPECT_THAT(both.predicted.calibration.notes,
              Contains(HasSubstr("1 task ran while another of the same worker")));
}

// A turn of a strand is one task, to the pool and in its recording.
TEST(Parity, Strands) {
  const auto both = run({.workers = 2}, [](pool::Pool& pool) {
    const pool::Strand strand(pool);
    for (int i = 0; i < 10; ++i) strand.post(some_work);
    ASSERT_TRUE(pool.wait_idle());
  });
  const auto& predicted = both.predicted.same_work_tasks;
  EXPECT_EQ(predicted.size(), both.real.tasks.size());
  for (const auto& tasks : {both.real.tasks, predicted}) {
    EXPECT_GE(tasks.size(), 2U);
    EXPECT_LE(tasks.size(), 11U);  // the last turn finds nothing
  }
  for (std::size_t i = 1; i < both.real.tasks.size(); ++i) {
    EXPECT_LE(both.real.tasks[i - 1].submitted, both.real.tasks[i].submitted);
    EXPECT_EQ(predicted[i].service(), both.real.tasks[i].service());
  }
}

}  // namespace
}  // namespace artel::predict
