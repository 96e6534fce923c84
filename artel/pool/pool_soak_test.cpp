// Pools in quantity: many tasks, many pools, many workers, odd times of life.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <latch>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/task_observer.hpp"
#include "artel/random/stream.hpp"
#include "artel/sync/futex_wait.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/sanitized.hpp"

namespace artel::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kScale = kSanitized ? 20 : 1;

Instant soon() { return later(steady_now(), seconds(60)); }

TEST(PoolSoak, AMillionTasksWithRandomExceptionsAreAllAccountedFor) {
  constexpr std::uint64_t kTasks = 1'000'000 / kScale;
  std::atomic<std::uint64_t> heard = 0;
  Pool pool{{.workers = 3, .on_exception = [&heard](const std::exception_ptr&) { ++heard; }}};
  random::Stream dice(Seed{7}, "failures");
  std::uint64_t planned = 0;
  for (std::uint64_t i = 0; i < kTasks; ++i) {
    const bool throws = dice.below(100) == 0;
    planned += throws ? 1 : 0;
    pool.post([throws] {
      if (throws) throw std::runtime_error("as planned");
    });
  }
  ASSERT_TRUE(pool.wait_idle(soon()));
  const auto outcomes = pool.stats().total.outcomes;
  EXPECT_EQ(outcomes.of(TaskOutcome::failed), planned);
  EXPECT_EQ(outcomes.of(TaskOutcome::done), kTasks - planned);
  EXPECT_EQ(heard, planned);
}

TEST(PoolSoak, TwentyFourPoolsAtOnce) {
  std::vector<std::unique_ptr<Pool>> pools;
  for (unsigned i = 0; i < 24; ++i) {
    pools.push_back(std::make_unique<Pool>(PoolOptions{.workers = 1 + i % 3}));
  }
  std::atomic<int> ran = 0;
  for (int round = 0; round < 200; ++round) {
    for (auto& pool : pools) pool->post([&ran] { ++ran; });
  }
  // A task of one pool waits for a task of the next, all the way round.
  int depth = 0;
  for (auto& pool : pools) {
    depth += pool->submit([&next = *pools[static_cast<std::size_t>(depth + 1) % 24]] {
                   return next.submit([] { return 1; }).get();
                 })
                 .get();
  }
  EXPECT_EQ(depth, 24);
  for (auto& pool : pools) ASSERT_TRUE(pool->wait_idle(soon()));
  EXPECT_EQ(ran, 200 * 24);
}

TEST(PoolSoak, TenThousandPoolsOneAfterTheOther) {
  std::atomic<int> ran = 0;
  constexpr int kCycles = 10'000 / kScale;
  for (int i = 0; i < kCycles; ++i) {
    Pool pool{{.workers = 1}};
    pool.post([&ran] { ++ran; });
  }
  EXPECT_EQ(ran, kCycles);
}

TEST(PoolSoak, MoreWorkersThanProcessors) {
  std::latch all(256);
  Pool pool{{.workers = 256}};
  for (int i = 0; i < 256; ++i) pool.post([&all] { all.arrive_and_wait(); });
  ASSERT_TRUE(pool.wait_idle(soon()));  // each of them had to have a thread at the same time
  std::atomic<int> ran = 0;
  for (int i = 0; i < 100'000 / kScale; ++i) pool.post([&ran] { ++ran; });
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 100'000 / kScale);
}

TEST(PoolSoak, AChildCanBeStartedWhileThePoolIsAtWork) {
  Pool pool{{.workers = 2}};
  std::atomic<bool> stop = false;
  std::thread feeder([&] {
    while (!stop) pool.post([] {});
  });
  for (int i = 0; i < 5; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/true", "true", nullptr);
      _exit(127);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  feeder.join();
}

TEST(PoolSoakDeathTest, APoolOfStaticLifetimeEndsWithTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        static Pool pool{{.workers = 2}};
        for (int i = 0; i < 1000; ++i) pool.post([] {});
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

Duration cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return seconds(time.tv_sec) + Duration{time.tv_nsec};
}

TEST(PoolSoak, AnIdlePoolUsesNoProcessorTime) {
  std::atomic<int> ran = 0;
  Pool pool{{.workers = 64}};
  for (int i = 0; i < 1000; ++i) pool.post([&ran] { ++ran; });
  ASSERT_TRUE(pool.wait_idle(soon()));
  // Time for the last worker to give up looking out. Another thread of this process might use some
  // time as well, so the best of a few looks counts.
  Duration best = kForever;
  for (int look = 0; look < 5 && best > milliseconds(1); ++look) {
    const Duration before = cpu_time();
    const std::atomic<std::uint32_t> word = 0;
    sync::futex_wait(word, 0, seconds(2));
    best = std::min(best, cpu_time() - before);
  }
  EXPECT_LT(best, milliseconds(1));
}

TEST(PoolObserver, HearsOfEveryTaskInOrderOfItsLife) {
  class Counter final : public TaskObserver {
   public:
    void ended(const trace::TaskRecord& task) override {
      const std::lock_guard lock(mutex);
      tasks.push_back(task);
    }
    std::mutex mutex;
    std::vector<trace::TaskRecord> tasks;
  };
  const auto counter = std::make_shared<Counter>();
  {
    Pool pool{{.workers = 2, .queue = 3, .observer = counter}};
    for (int i = 0; i < 500; ++i) {
      pool.post([i] {
        if (i % 50 == 0) throw i;
      });
      static_cast<void>(pool.submit([] {}));
      pool.post([] {}, {.deadline = steady_now()});
    }
  }
  ASSERT_EQ(counter->tasks.size(), 1500U);
  std::array<int, trace::kTaskOutcomes> outcomes{};
  for (const trace::TaskRecord& task : counter->tasks) {
    ++outcomes[static_cast<std::size_t>(task.outcome)];
    EXPECT_TRUE(trace::plausible(task));
  }
  EXPECT_EQ(outcomes, (std::array{990, 10, 0, 500, 0}));
}

}  // namespace
}  // namespace artel::pool
