// A static pool whose own thread calls exit(): each case in a child process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/strand.hpp"
#include "artel/pool/task_scope.hpp"
#include "artel/trace/load_tasks.hpp"

namespace artel::pool {
namespace {

using namespace std::chrono_literals;

constexpr int kStatus = 3;

[[noreturn]] void wait_for_the_end() {
  for (;;) pause();
}

class PoolExitDeathTest : public testing::Test {
 protected:
  PoolExitDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(PoolExitDeathTest, InATaskEndsTheProcessWithItsStatus) {
  EXPECT_EXIT(
      {
        static Pool pool{{.workers = 2}};
        for (int i = 0; i < 100; ++i) pool.post([] { pool.post([] {}); });
        static auto waits = pool.submit([] { std::exit(kStatus); });
        wait_for_the_end();
      },
      testing::ExitedWithCode(kStatus), "");
}

// The pool has been destroyed by then. The status of the process is that of exit() as long as
// nothing of this reads what is gone.
TEST_F(PoolExitDeathTest, InATaskLetsOthersUseThePoolMeanwhile) {
  EXPECT_EXIT(
      {
        static std::atomic<bool> runs = false;
        static std::atomic<int> refused = 0;
        struct EndsAfterThePool {
          ~EndsAfterThePool() {
            const int seen = refused;
            while (refused < seen + 100) std::this_thread::yield();
          }
        };
        static const EndsAfterThePool end;
        static Pool pool{{.workers = 3}};
        pool.post([] {
          for (;;) {
            runs = true;
            const Future<void> result = pool.submit([] {});
            const bool in = pool.post([] {}) == Admission::accepted;
            if (!in && pool.stopped() && pool.stats().accepted > 0 && pool.size() > 0) ++refused;
          }
        });
        while (!runs) std::this_thread::yield();
        pool.post([] { std::exit(kStatus); });
        wait_for_the_end();
      },
      testing::ExitedWithCode(kStatus), "");
}

// The exiting task is waited for, and one beside it never ends.
TEST_F(PoolExitDeathTest, InATaskWaitsForNoOtherTask) {
  EXPECT_EXIT(
      {
        static Pool pool{{.workers = 3}};
        static std::atomic<bool> runs = false;
        pool.post([] {
          runs = true;
          wait_for_the_end();
        });
        static Strand strand(pool);
        pool.post([] {
          while (!runs) std::this_thread::yield();
          TaskScope scope(pool);
          scope.spawn([] { strand.submit([] { std::exit(kStatus); }).get(); });
          scope.wait();
        });
        wait_for_the_end();
      },
      testing::ExitedWithCode(kStatus), "");
}

TEST_F(PoolExitDeathTest, OfOneWorkerWhoseQueueIsFullEndsTheProcess) {
  EXPECT_EXIT(
      {
        static Pool pool{{.workers = 1}};
        static std::atomic<bool> go = false;
        pool.post([] {
          while (!go) std::this_thread::yield();
          std::exit(kStatus);
        });
        for (int i = 0; i < 1'000; ++i) pool.post([] { std::abort(); });  // cancelled
        go = true;
        wait_for_the_end();
      },
      testing::ExitedWithCode(kStatus), "");
}

TEST_F(PoolExitDeathTest, InAHandlerOfStallsEndsTheProcess) {
  const PoolOptions options{
      .workers = 1, .stall_after = 5ms, .on_stall = [](const Stall&) { std::exit(kStatus); }};
  EXPECT_EXIT(
      {
        static Pool pool{options};
        pool.post([] { wait_for_the_end(); });
        wait_for_the_end();
      },
      testing::ExitedWithCode(kStatus), "");
}

TEST_F(PoolExitDeathTest, InWhatFollowsAnExpiredTaskEndsTheProcess) {
  EXPECT_EXIT(
      {
        static Pool pool{{.workers = 1}};
        pool.post([] { wait_for_the_end(); });
        static auto late = pool.submit([] {}, {.deadline = std::chrono::steady_clock::now() + 5ms})
                               .then([](Future<void>) { std::exit(kStatus); });
        wait_for_the_end();
      },
      testing::ExitedWithCode(kStatus), "");
}

TEST_F(PoolExitDeathTest, InATaskLeavesARecordingWhole) {
  const std::string file = testing::TempDir() + "exit.trace";
  EXPECT_EXIT(
      {
        static Pool pool{{.workers = 2}};
        if (!pool.record(file)) std::abort();
        for (int i = 0; i < 100; ++i) static_cast<void>(pool.submit([] {}).get());
        pool.post([] { std::exit(kStatus); });
        wait_for_the_end();
      },
      testing::ExitedWithCode(kStatus), "");
  const auto tasks = trace::load_tasks(file);
  ASSERT_TRUE(tasks) << tasks.error().what;
  EXPECT_EQ(tasks->tasks.size(), 100U);
}

TEST_F(PoolExitDeathTest, DestroyingAPoolInItsTaskBreaksTheContract) {
  EXPECT_DEATH(
      {
        auto* const pool = new Pool({.workers = 1});
        pool->submit([pool] { delete pool; }).wait();
      },
      "a thread that is not its worker");
}

}  // namespace
}  // namespace artel::pool
