// Coroutines use no stack, however many waits follow each other, however deep tasks nest, however
// many processes there are. Everything runs on a stack of 256 KiB, in the sizes that the library
// promises, in debug and sanitizer builds too.

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

void on_a_small_stack(std::function<void()> body) {
  constexpr std::size_t kStackBytes = std::size_t{256} << 10U;
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStackBytes), 0);
  pthread_t thread{};
  const auto run = [](void* body_in_hand) -> void* {
    (*static_cast<std::function<void()>*>(body_in_hand))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

constexpr int kWaits = 10'000'000;
constexpr int kDepth = 100'000;
constexpr int kCrowd = 1'000'000;

Task<int> give(Context&, int value) { co_return value; }

TEST(Stack, TenMillionWaitsThatSuspend) {
  on_a_small_stack([] {
    Simulation simulation;
    const auto loop = [](Context& self, int& rounds) -> Task<> {
      for (int i = 0; i < kWaits / 2; ++i) {
        co_await self.yield();
        rounds += co_await give(self, 2);
      }
    };
    int rounds = 0;
    auto& context = simulation.add_context("loop");
    context.spawn(loop(context, rounds));
    simulation.run();
    EXPECT_EQ(rounds, kWaits);
  });
}

TEST(Stack, TenMillionWaitsThatAreReadyAtOnce) {
  on_a_small_stack([] {
    Simulation simulation;
    const auto loop = [](Context&, Channel<int>& channel, int& rounds) -> Task<> {
      for (int i = 0; i < kWaits / 2; ++i) {
        co_await channel.send(2);
        const auto got = co_await channel.receive();
        rounds += got.value_or(0);
      }
    };
    int rounds = 0;
    Channel<int> channel;
    auto& context = simulation.add_context("loop");
    context.spawn(loop(context, channel, rounds));
    simulation.run();
    EXPECT_EQ(rounds, kWaits);
  });
}

struct Chain {
  static Task<int> returns(Context& self, int depth) {
    if (depth == 0) {
      co_await self.sleep(1ns);
      co_return 0;
    }
    co_return co_await returns(self, depth - 1) + 1;
  }
  static Task<int> throws(Context& self, int depth) {
    if (depth == 0) throw std::runtime_error("end of chain");
    co_return co_await throws(self, depth - 1) + 1;
  }
};

TEST(Stack, HundredThousandNestedTasksReturn) {
  on_a_small_stack([] {
    Simulation simulation;
    auto& context = simulation.add_context("chain");
    int result = 0;
    const auto caller = [](Context& self, int& to) -> Task<> {
      to = co_await Chain::returns(self, kDepth);
    };
    const Process<> process = context.spawn(caller(context, result));
    simulation.run();
    EXPECT_EQ(process.status(), ProcessStatus::done);
    EXPECT_EQ(result, kDepth);
  });
}

TEST(Stack, HundredThousandNestedTasksAreCancelled) {
  on_a_small_stack([] {
    Simulation simulation;
    auto& context = simulation.add_context("chain");
    const Process<int> process = context.spawn(Chain::returns(context, kDepth));
    simulation.steps(1);
    EXPECT_TRUE(process.cancel());
  });
}

// Throwing on costs the unwinder's time at every level, and no stack.
TEST(Stack, AnExceptionPassesThroughHundredThousandNestedTasks) {
  on_a_small_stack([] {
    Simulation simulation;
    auto& context = simulation.add_context("chain");
    bool caught = false;
    const auto catcher = [](Context& self, bool& to) -> Task<> {
      try {
        co_await Chain::throws(self, kDepth);
      } catch (const std::runtime_error&) {
        to = true;
      }
    };
    context.spawn(catcher(context, caught));
    simulation.run();
    EXPECT_TRUE(caught);
  });
}

TEST(Stack, AMillionProcessesAtOnce) {
  on_a_small_stack([] {
    Simulation simulation;
    auto& context = simulation.add_context("crowd");
    int awake = 0;
    const auto member = [](Context& self, int& count) -> Task<> {
      co_await self.sleep(1s);
      ++count;
      co_await self.sleep(1h);
    };
    std::vector<Process<>> crowd;
    crowd.reserve(kCrowd);
    for (int i = 0; i < kCrowd; ++i) crowd.push_back(context.spawn(member(context, awake)));
    simulation.run_until(Instant{2s});
    EXPECT_EQ(awake, kCrowd);
    for (int i = 0; i < kCrowd; i += 2) crowd[static_cast<std::size_t>(i)].cancel();
    simulation.run();
    EXPECT_EQ(crowd[0].status(), ProcessStatus::cancelled);
    EXPECT_EQ(crowd[1].status(), ProcessStatus::done);
  });
}

}  // namespace
}  // namespace artel::sim
