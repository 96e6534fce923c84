// When a task from outside starts, whatever other tasks there are: counted in tasks, not in time.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/strand.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using namespace std::chrono_literals;

// A pool of one worker with tasks that submit themselves again, of any kind, until it goes.
class StormyPool {
 public:
  StormyPool() : pool_(PoolOptions{.workers = 1}), strand_(pool_) {}
  ~StormyPool() { over_ = true; }
  Pool* operator->() { return &pool_; }

  void storm(Priority priority) { pool_.post(Again{this, priority}, {.priority = priority}); }
  // Each of its tasks is a turn.
  void storm_in_strand() { strand_.post(AgainInStrand{this}); }

  // So that tasks can be counted exactly from what happens next.
  void freeze() {
    pool_.pause();
    ASSERT_TRUE(happens_soon([this] { return !pool_.stats().workers[0].busy; }));
  }
  std::uint64_t turns() const { return turns_; }
  std::uint64_t low() const { return low_; }

 private:
  struct Again {
    StormyPool* self;
    Priority priority;
    void operator()() const {
      ++self->turns_;
      if (priority == Priority::low) ++self->low_;
      if (!self->over_) self->storm(priority);
    }
  };
  struct AgainInStrand {
    StormyPool* self;
    void operator()() const {
      ++self->turns_;
      const Instant end = later(steady_now(), 150us);
      while (steady_now() < end) {
      }
      if (!self->over_) self->storm_in_strand();
    }
  };

  std::atomic<std::uint64_t> turns_ = 0, low_ = 0;
  std::atomic<bool> over_ = false;
  Pool pool_;
  Strand strand_;
};

// The bounds that docs/pool.md names: tasks that a worker takes for each that came before, and for
// the task itself.
constexpr std::uint64_t kOrdinary = 122;
constexpr std::uint64_t kLow = 976;

struct Storms {
  int high, normal, strands;
};

void expect_outside_tasks_within_the_bound(const Storms& storms) {
  StormyPool pool;
  for (int i = 0; i < storms.high; ++i) pool.storm(Priority::high);
  for (int i = 0; i < storms.normal; ++i) pool.storm(Priority::normal);
  for (int i = 0; i < storms.strands; ++i) pool.storm_in_strand();
  const int all = storms.high + storms.normal + storms.strands;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t then = pool.turns() + 50;
    ASSERT_TRUE(happens_soon([&] { return pool.turns() > then; }));
    pool.freeze();
    const std::uint64_t frozen = pool.turns();
    std::atomic<std::uint64_t> first = 0, second = 0, low = 0;
    pool->post([&] { first = pool.turns(); });
    pool->post([&] { second = pool.turns(); });
    pool->post([&] { low = pool.turns(); }, {.priority = Priority::low});
    pool->resume();
    ASSERT_TRUE(happens_soon([&] { return first != 0 && second != 0 && low != 0; }))
        << storms.high << " high, " << storms.normal << " normal, " << storms.strands;
    const auto before = static_cast<std::uint64_t>(all);
    EXPECT_LE(first - frozen, kOrdinary * (before + 1));
    EXPECT_LE(second - frozen, kOrdinary * (before + 2));
    EXPECT_LE(low - frozen, kLow);
  }
}

TEST(PoolFairness, AnOutsideTaskStartsWithinTheBoundWhateverSubmitsItselfAgain) {
  expect_outside_tasks_within_the_bound({.high = 4, .normal = 0, .strands = 0});
  expect_outside_tasks_within_the_bound({.high = 0, .normal = 4, .strands = 0});
  expect_outside_tasks_within_the_bound({.high = 1, .normal = 1, .strands = 0});
  expect_outside_tasks_within_the_bound({.high = 3, .normal = 5, .strands = 1});
}

TEST(PoolFairness, OneInAboutAThousandTasksIsALowOneAndOneInSixtyOneNotUrgent) {
  StormyPool pool;
  for (int i = 0; i < 4; ++i) pool.storm(Priority::high);
  for (int i = 0; i < 4; ++i) pool.storm(Priority::low);
  constexpr std::uint64_t kTasks = 100'000;
  ASSERT_TRUE(happens_soon([&] { return pool.turns() > 1000; }));
  pool.freeze();
  const std::uint64_t turns = pool.turns(), low = pool.low();
  pool->resume();
  ASSERT_TRUE(happens_soon([&] { return pool.turns() > turns + kTasks; }));
  pool.freeze();
  EXPECT_NEAR(static_cast<double>(pool.turns() - turns) / static_cast<double>(pool.low() - low),
              static_cast<double>(kLow), 10);
  pool->resume();
}

// To the worker a turn of a strand is no child of its own tasks.
TEST(PoolFairness, AStrandThatAlwaysHasWorkHoldsUpAnOutsideTaskForATurn) {
  StormyPool pool;
  pool.storm_in_strand();
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t then = pool.turns();
    ASSERT_TRUE(happens_soon([&] { return pool.turns() > then; }));
    pool.freeze();
    const std::uint64_t frozen = pool.turns();
    std::atomic<std::uint64_t> started = 0;
    pool->post([&] { started = pool.turns(); });
    pool->resume();
    ASSERT_TRUE(happens_soon([&] { return started != 0; }));
    EXPECT_LE(started - frozen, 2U);
  }
}

}  // namespace
}  // namespace artel::pool
