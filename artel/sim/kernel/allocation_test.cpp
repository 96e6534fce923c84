// A simulation that has seen its peak must not allocate. And what processes take of memory.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "tests/allocation_count.hpp"
#include "tests/sanitized.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Small {};
struct Large {
  std::int64_t numbers[20] = {};
};

struct Bouncer : Component<Small, Large> {
  void on(const Small&) {
    const EventId id = emit_self(Large{}, Duration{static_cast<std::int64_t>(random().below(900))});
    emit_self(Small{}, 1us);
    if (random().below(2) == 0) cancel(id);
  }
  void on(const Large&) {}
};

TEST(Allocation, ASteadyStateAllocatesNothing) {
  if (!allocations_counted()) GTEST_SKIP();
  Simulation simulation;
  for (int i = 0; i < 300; ++i)
    simulation.add<Bouncer>(std::to_string(i)).emit_self(Small{}, i * 3ns);
  simulation.steps(200'000);
  const std::size_t before = allocation_count();
  ASSERT_GT(before, 0U);  // they are counted
  simulation.steps(200'000);
  EXPECT_EQ(allocation_count() - before, 0U);
}

struct Ask {
  std::uint64_t number;
};
std::uint64_t key_of(const Ask& ask) { return ask.number; }
struct Answer {};

Task<int> child(Context& self, int value) {
  co_await self.sleep(3ns);
  co_return value;
}

/// Every kind of wait, over and over.
struct Busy : Component<> {
  explicit Busy(ComponentId to) : peer(to) {}

  Task<> asks() {
    for (std::uint64_t i = 0;; ++i) {
      emit(Ask{i % 7}, peer, 5ns);
      (void)co_await next<Answer>().from(peer).within(1us);
      (void)co_await spawn(child(*this, 1)).join();
      (void)co_await child(*this, 2);
      const Process<int> cancelled = spawn(child(*this, 3));
      (void)co_await any_of(sleep(1ns), cancelled.join());
      cancelled.cancel();
      co_await channel.send(i);
      co_await queue.send(i);
    }
  }
  Task<> answers(std::uint64_t key) {
    while (true) {
      const auto ask = co_await next<Ask>().key(key);
      emit(Answer{}, ask.src, 2ns);
    }
  }
  Task<> receives() {
    while (true) {
      const auto both = co_await all_of(channel.receive(), sleep(1ns));
      if (queue.size() > 10) {
        while (queue.try_receive()) {
        }
      }
      (void)both;
    }
  }

  ComponentId peer;
  Channel<std::uint64_t> channel{0};
  Channel<std::uint64_t> queue;
};

TEST(Allocation, CoroutinesInASteadyStateAllocateNothing) {
  if (!allocations_counted()) GTEST_SKIP();
  Simulation simulation;
  for (int i = 0; i < 100; ++i) {
    auto& busy = simulation.add<Busy>(std::to_string(i),
                                      ComponentId{(static_cast<std::uint32_t>(i) + 1) % 100});
    busy.spawn(busy.asks());
    busy.spawn(busy.receives());
    for (std::uint64_t key = 0; key < 7; ++key) busy.spawn(busy.answers(key));
  }
  simulation.steps(400'000);
  const std::size_t before = allocation_count();
  simulation.steps(400'000);
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_GT(simulation.event_count(), 50'000U);
}

/// Bytes of memory that this process has touched.
std::size_t resident() {
  std::ifstream pages("/proc/self/statm");
  std::size_t all = 0;
  std::size_t here = 0;
  pages >> all >> here;
  return here * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

Task<> sleeps(Context& self) { co_await self.sleep(1h); }

std::size_t bytes_of_sleeping(std::size_t count) {
  const std::size_t before = resident();
  Simulation simulation;
  auto& context = simulation.add_context("sleeping");
  for (std::size_t i = 0; i < count; ++i) {
    context.spawn(sleeps(context));
    if (i % 1000 == 0) simulation.run_for(1ns);  // so that starting them takes no room
  }
  simulation.run_for(1ns);
  return resident() - before;
}

TEST(AllocationDeathTest, ASleepingCoroutineTakesThreeHundredBytes) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // alone in a process, with memory never used
  constexpr std::size_t kCount = 400'000;
  constexpr std::size_t kBytesMost = 310;  // memory is taken 2 MiB at a time
  EXPECT_EXIT(
      {
        const std::size_t bytes = bytes_of_sleeping(kCount);
        std::cerr << bytes / kCount << " bytes each\n";
        std::_Exit(bytes <= kBytesMost * kCount ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace artel::sim
