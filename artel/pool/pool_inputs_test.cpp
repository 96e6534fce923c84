// What a policy is told in a pool of threads: of tasks by their submitters, of workers by what was
// measured.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/pool/blocking.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr int kShortTasks = 1000;

// Notes the draw and the loads of the last decision.
struct Noted {
  std::mutex lock{};
  dispatch::Draw draw{};
  std::vector<dispatch::Load> loads{};

  [[nodiscard]] dispatch::Custom policy(std::optional<dispatch::PolicyInputs> reads = {}) {
    return {.function = [this](const dispatch::AnyLoads& view,
                               const dispatch::Draw& seen) -> std::optional<WorkerId> {
              const std::lock_guard guard(lock);
              draw = seen;
              loads.clear();
              for (std::size_t i = 0; i < view.size(); ++i)
                loads.push_back(view.load(dispatch::worker(i)));
              return std::nullopt;
            },
            .name = "noting",
            .reads = reads};
  }
};

TEST(PoolInputs, APolicyIsToldWhatTheSubmitterSaysAndTheTime) {
  Noted noted;
  Pool pool{{.workers = 1, .dispatch = noted.policy()}};
  const Instant before = steady_now();
  const Instant deadline = later(before, hours(1));
  pool.submit([] {}, {.deadline = deadline, .size = hours(2), .key = 77, .task_class = 3}).get();
  EXPECT_EQ(noted.draw.key, 77U);
  EXPECT_EQ(noted.draw.task_class, 3U);
  EXPECT_EQ(noted.draw.size, hours(2));
  EXPECT_EQ(noted.draw.deadline, deadline);
  EXPECT_GE(noted.draw.now, before);
  EXPECT_LE(noted.draw.now, steady_now());
}

TEST(PoolInputs, LatencyAndFailuresAreMeasured) {
  Noted noted;
  Pool pool{{.workers = 1, .dispatch = noted.policy()}};
  const auto look = [&](bool fails) {
    pool.submit([fails] {
          for (const Instant end = later(steady_now(), std::chrono::milliseconds(2));
               steady_now() < end;) {
          }
          if (fails) throw std::runtime_error("it fails");
        })
        .wait();
    EXPECT_TRUE(pool.wait_idle(soon()));
  };
  look(true);
  ASSERT_EQ(noted.loads.size(), 1U);
  EXPECT_EQ(noted.loads[0].heard, dispatch::kNotHeard);
  look(true);
  EXPECT_GE(noted.loads[0].latency, std::chrono::milliseconds(2));
  EXPECT_LE(noted.loads[0].heard, noted.draw.now);
  EXPECT_EQ(noted.loads[0].failures, 1U);
  look(false);
  EXPECT_EQ(noted.loads[0].failures, 2U);
  look(false);
  EXPECT_EQ(noted.loads[0].failures, 0U);
}

TEST(PoolInputs, WhatAPolicyDoesNotReadIsNotKept) {
  Noted noted;
  Pool pool{{.workers = 1, .dispatch = noted.policy(dispatch::PolicyInputs{})}};
  for (int i = 0; i < 3; ++i) {
    pool.submit([] {}, {.size = hours(1)}).get();
    ASSERT_TRUE(pool.wait_idle(soon()));
  }
  EXPECT_EQ(noted.draw.now, Instant{});
  EXPECT_EQ(noted.loads[0].heard, dispatch::kNotHeard);
  EXPECT_EQ(noted.loads[0].work, Duration::zero());
}

TEST(PoolInputs, WorkRunsOffAtTheWorkersSpeed) {
  Noted noted;
  std::atomic<bool> begun = false;
  std::atomic<bool> go = false;
  const auto run = [&] {
    begun = true;
    while (!go) std::this_thread::yield();
  };
  Pool pool{{.workers = 1, .weights = {2}, .dispatch = noted.policy()}};
  const auto work = [&] {  // of what is there, as a task without a hint sees it
    pool.post([] {});
    return noted.loads[0].work;
  };
  const Instant before = steady_now();
  pool.post(run, {.size = hours(10)});
  while (!begun) std::this_thread::yield();
  const Instant since = steady_now();
  while (steady_now() < later(since, milliseconds(2))) std::this_thread::yield();
  const auto running = work();
  EXPECT_LE(running, hours(5) - milliseconds(2));
  EXPECT_GE(running, hours(5) - (steady_now() - before));
  pool.post([] {}, {.size = hours(4)});
  const auto both = work();
  EXPECT_LE(both, running + hours(2));
  EXPECT_GE(both, hours(7) - (steady_now() - before));
  go = true;
  ASSERT_TRUE(pool.wait_idle(later(steady_now(), hours(1))));
  EXPECT_EQ(work(), Duration::zero());
}

TEST(PoolInputs, WhatRunsLongerThanItsHintIsAboutToEnd) {
  Noted noted;
  std::atomic<bool> begun = false;
  std::atomic<bool> go = false;
  Pool pool{{.workers = 1, .dispatch = noted.policy()}};
  pool.post(
      [&] {
        begun = true;
        while (!go) std::this_thread::yield();
      },
      {.size = Duration{1}});
  while (!begun) std::this_thread::yield();
  pool.post([] {}, {.size = hours(1)});
  pool.post([] {});
  EXPECT_EQ(noted.loads[0].work, hours(1));
  go = true;
}

TEST(PoolInputs, AWorkerWhoseThreadWaitsForSomethingElseHasNothingToDo) {
  Noted noted;
  std::atomic<bool> blocked = false;
  std::atomic<bool> go = false;
  const auto wait = [&] {
    blocked = true;
    go.wait(false);
  };
  Pool pool{{.workers = 1, .queue = 2 * kShortTasks, .dispatch = noted.policy()}};
  pool.post([&] { blocking(wait); }, {.size = hours(1)});
  while (!blocked) std::this_thread::yield();
  pool.pause();  // another thread serves the worker now, and is idle soon
  for (int i = 0; i < kShortTasks; ++i) {
    pool.post([] {});
    if (noted.loads[0].work == Duration::zero()) break;
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(noted.loads[0].work, Duration::zero());
  pool.resume();
  go = true;
  go.notify_all();
}

// How many of so many short tasks the policy was asked about. No two of those of which something is
// told are alike, and of every other one nothing is.
int asked_about(std::optional<dispatch::PolicyInputs> reads) {
  std::atomic<int> decisions = 0;
  Pool pool{{.workers = 2,
             .dispatch = dispatch::Custom{
                 .function = [&decisions](const dispatch::AnyLoads&,
                                          const dispatch::Draw& draw) -> std::optional<WorkerId> {
                   ++decisions;
                   return dispatch::worker(draw.turn % 2);
                 },
                 .reads = reads}}};
  int asked = 0;
  for (int i = 0; i < kShortTasks; ++i) {
    const auto number = static_cast<std::uint32_t>(i) + 1;
    const SubmitOptions told{.deadline = later(steady_now(), hours(number)),
                             .size = Duration{number},
                             .key = number,
                             .task_class = number};
    const int before = decisions;
    pool.submit([] {}, i % 2 == 0 ? told : SubmitOptions{}).get();
    asked += decisions > before ? 1 : 0;
  }
  return asked;
}

// Short tasks follow their submitter's last one to its worker, but not under a policy that goes by
// the task.
TEST(PoolInputs, APolicyThatGoesByTheTaskIsAskedAboutEach) {
  using enum dispatch::PolicyInput;
  for (const auto field : {size, key, task_class, deadline})
    EXPECT_EQ(asked_about(dispatch::PolicyInputs(field)), kShortTasks) << name(field);
  EXPECT_EQ(asked_about({{latency, deadline}}), kShortTasks);
  EXPECT_EQ(asked_about(std::nullopt), kShortTasks) << "it has not said what it reads";
}

}  // namespace
}  // namespace artel::pool
