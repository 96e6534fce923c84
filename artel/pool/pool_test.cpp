#include "artel/pool/pool.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/pool/promise.hpp"
#include "tests/pool/fib.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Pool, RunsWhatIsPosted) {
  std::atomic<int> ran = 0;
  Pool pool{{.workers = 2}};
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_EQ(pool.post([&ran] { ran.fetch_add(1, std::memory_order_relaxed); }),
              Admission::accepted);
  }
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 100'000);
  expect_accounts_close(pool.stats());
}

TEST(Pool, GivesResultsAndExceptionsThroughFutures) {
  Pool pool{{.workers = 2}};
  EXPECT_EQ(pool.submit([] { return 42; }).get(), 42);
  EXPECT_EQ(*pool.submit([] { return std::make_unique<int>(7); }).get(), 7);
  auto failing = pool.submit([]() -> int { throw std::runtime_error("no"); });
  EXPECT_THROW(failing.get(), std::runtime_error);
  pool.submit([] {}).get();
  EXPECT_EQ(pool.stats().total.outcomes.of(TaskOutcome::failed), 1U);
}

TEST(Pool, TakesCallablesThatCanOnlyBeMovedOfAnySize) {
  Pool pool{{.workers = 1}};
  std::atomic<int> sum = 0;
  pool.post([&sum, one = std::make_unique<int>(1)] { sum += *one; });
  pool.post([&sum, one = std::make_unique<int>(1), filler = std::array<char, 300>{}] {
    sum += *one + filler[7];
  });
  pool.post([&sum, words = std::array<int, 10>{1, 1}] { sum += words[0] + words[1]; });
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(sum, 4);
}

TEST(Pool, DestroysCallablesOnceWhetherRunOrNot) {
  auto counted = std::make_shared<int>();
  for (const auto mode : {StopMode::drain, StopMode::cancel}) {
    Pool pool{{.workers = 1}};
    for (int i = 0; i < 1000; ++i) pool.post([counted] {});
    auto future = pool.submit([counted] {});
    pool.stop(mode);
    EXPECT_EQ(counted.use_count(), 1);
    expect_accounts_close(pool.stats());
  }
}

TEST(Pool, NestedWaitsDoNotDeadlockOnOneWorker) {
  Pool pool{{.workers = 1}};
  EXPECT_EQ(pool.submit([&pool] { return fib(pool, 16); }).get(), 987);
}

TEST(Pool, NestedWaitsOnSeveralWorkers) {
  Pool pool{{.workers = 4}};
  EXPECT_EQ(pool.submit([&pool] { return fib(pool, 18); }).get(), 2584);
  ASSERT_TRUE(pool.wait_idle(soon()));
  expect_accounts_close(pool.stats());
}

TEST(Pool, AWaitForSomethingThatNobodyCanClaimGetsAnotherThread) {
  Promise<int> promise;
  auto given = promise.future();
  Pool pool{{.workers = 1}};
  auto waiting = pool.submit([&given] { return given.get(); });
  auto giving = pool.submit([&promise] { promise.set_value(5); });
  EXPECT_TRUE(waiting.wait_for(seconds(20)));
  EXPECT_EQ(waiting.get(), 5);
}

TEST(Pool, RefusesClearlyAfterStop) {
  Pool pool{{.workers = 2}};
  pool.stop();
  pool.stop(StopMode::cancel);
  EXPECT_TRUE(pool.stopped());
  EXPECT_EQ(pool.post([] {}), Admission::closed);
  EXPECT_EQ(pool.try_post([] {}), Admission::closed);
  auto future = pool.submit([] { return 1; });
  ASSERT_TRUE(future.ready());
  EXPECT_EQ(future.result().error().code, ErrorCode::closed);
  EXPECT_EQ(pool.try_submit([] { return 1; }).error().code, ErrorCode::closed);
}

TEST(Pool, CancelEndsWhatWaitsAndTellsTheFutures) {
  std::latch started(1), go(1);
  Pool pool{{.workers = 1}};
  pool.post([&] {
    started.count_down();
    go.wait();
  });
  started.wait();
  std::vector<Future<int>> futures;
  for (int i = 0; i < 500; ++i) futures.push_back(pool.submit([i] { return i; }));
  std::thread stopper([&pool] { pool.stop(StopMode::cancel); });
  while (!pool.stopped()) std::this_thread::yield();
  // Close comes before cancel: let the stopper get there.
  while (pool.post([] {}) != Admission::closed) std::this_thread::yield();
  go.count_down();
  stopper.join();
  std::size_t cancelled = 0;
  for (auto& future : futures) {
    ASSERT_TRUE(future.ready());
    if (auto result = future.result(); !result) {
      EXPECT_EQ(result.error().code, ErrorCode::cancelled);
      ++cancelled;
    }
  }
  const auto stats = pool.stats();
  EXPECT_EQ(stats.total.outcomes.of(TaskOutcome::cancelled), cancelled);
  expect_accounts_close(stats);
}

TEST(Pool, SubmitsInBulk) {
  Pool pool{{.workers = 2}};
  std::vector<std::function<int()>> callables;
  for (int i = 0; i < 100; ++i) callables.emplace_back([i] { return i; });
  auto futures = pool.submit_all(callables);
  int sum = 0;
  for (auto& future : futures) sum += future.get();
  EXPECT_EQ(sum, 4950);
  std::atomic<int> ran = 0;
  std::vector<std::function<void()>> more(50, [&ran] { ++ran; });
  EXPECT_EQ(pool.post_all(more), 50U);
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 50);
}

TEST(Pool, TellsWhatTasksWithoutAFutureThrow) {
  std::atomic<int> heard = 0;
  Pool pool{{.workers = 1, .on_exception = [&heard](const std::exception_ptr&) { ++heard; }}};
  pool.post([] { throw 1; });
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(heard, 1);
  EXPECT_EQ(pool.stats().total.outcomes.of(TaskOutcome::failed), 1U);
}

TEST(Pool, CallsHooksOnEveryWorkersThread) {
  std::mutex mutex;
  std::set<std::thread::id> started, stopped;
  {
    Pool pool{{.workers = 3,
               .on_start =
                   [&](WorkerId) {
                     const std::lock_guard lock(mutex);
                     started.insert(std::this_thread::get_id());
                   },
               .on_stop =
                   [&](WorkerId) {
                     const std::lock_guard lock(mutex);
                     stopped.insert(std::this_thread::get_id());
                   }}};
  }
  EXPECT_EQ(started.size(), 3U);
  EXPECT_EQ(started, stopped);
}

TEST(Pool, NamesItsThreads) {
  Pool pool{{.name = "a-very-long-name", .workers = 1}};
  const auto name = pool.submit([] {
                          std::array<char, 16> text{};
                          pthread_getname_np(pthread_self(), text.data(), text.size());
                          return std::string(text.data());
                        })
                        .get();
  EXPECT_EQ(name, "a-very-long-n-0");
}

TEST(Pool, KnowsItsWorkers) {
  Pool pool{{.workers = 1}};
  EXPECT_FALSE(pool.this_worker());
  EXPECT_EQ(pool.submit([&pool] { return pool.this_worker(); }).get(), WorkerId{0});
}

TEST(Pool, AWorkerThatIsFreeTakesWhatWaitsBehindALongTask) {
  std::latch started(1), go(1), others(20);
  // Round robin binds to both workers, however busy they are.
  Pool pool{{.workers = 2, .queue = 100, .dispatch = dispatch::RoundRobin{}}};
  pool.post([&] {
    started.count_down();
    go.wait();
  });
  started.wait();
  for (int i = 0; i < 20; ++i) pool.post([&others] { others.count_down(); });
  others.wait();  // hangs if one of them stays behind the long task
  go.count_down();
}

TEST(Pool, WhatWaitsBehindALongTaskComesBeforeTheCommonQueue) {
  std::latch started(2), first(1), second(1), done(5);
  std::vector<int> order;
  Pool pool{{.workers = 2, .queue = 1, .dispatch = dispatch::RoundRobin{}}};
  pool.submit([] { std::this_thread::sleep_for(milliseconds(1)); }).get();
  for (std::latch* go : {&first, &second}) {
    pool.post([&started, go] {
      started.count_down();
      go->wait();
    });
  }
  started.wait();
  // Two wait at the workers, the others in the common queue.
  for (int i = 0; i < 5; ++i) {
    pool.post([&order, &done, i] {
      order.push_back(i);
      done.count_down();
    });
  }
  first.count_down();  // its worker alone runs what waits
  done.wait();
  second.count_down();
  std::ranges::sort(order.begin(), order.begin() + 2);  // its own first, then the other's
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

TEST(Pool, StopFromATaskDoesNotWaitForItself) {
  Pool pool{{.workers = 2}};
  pool.submit([&pool] { pool.stop(); }).get();
  EXPECT_TRUE(pool.stopped());
}

TEST(Pool, CreateTellsTheFieldAndTheRange) {
  auto pool = Pool::create({.workers = 5, .workers_min = 2, .workers_max = 4});
  ASSERT_FALSE(pool.has_value());
  EXPECT_EQ(pool.error().what, "workers is 5; allowed: 2 to 4");
  EXPECT_TRUE(Pool::create({.workers = 1}).has_value());
}

TEST(Pool, APolicyThatGoesByCachesIsRefusedByName) {
  const auto refusal = [](dispatch::Policy policy) {
    const auto pool = Pool::create({.workers = 1, .dispatch = std::move(policy)});
    return pool ? "" : pool.error().what;
  };
  EXPECT_EQ(refusal(dispatch::Affinity{}),
            "policy affinity(0.5) reads matched, which a pool does not know");
  EXPECT_EQ(refusal(dispatch::CacheAware{}),
            "policy cache_aware(0.3, 64, 1.5) reads matched, which a pool does not know");
  EXPECT_EQ(refusal(dispatch::Custom{
                .function = [](const auto&, const auto&) { return std::optional<WorkerId>(); }}),
            "");
}

TEST(Pool, EveryPolicyServes) {
  for (const dispatch::Policy& policy : std::vector<dispatch::Policy>{
           dispatch::Random{}, dispatch::RoundRobin{}, dispatch::WeightedRoundRobin{},
           dispatch::LeastLoaded{dispatch::Measure::occupancy},
           dispatch::LeastLoaded{dispatch::Measure::delay}, dispatch::Jsq{}, dispatch::Jiq{},
           dispatch::LeastWorkLeft{}, dispatch::Sita{{milliseconds(1)}}, dispatch::PeakEwma{},
           dispatch::Rendezvous{}, dispatch::Maglev{}, dispatch::Jbt{}, dispatch::C3{},
           dispatch::Prequal{}}) {
    Pool pool{{.workers = 3, .weights = {1, 2, 3}, .dispatch = policy}};
    std::atomic<int> ran = 0;
    for (int i = 0; i < 3000; ++i) {
      pool.post([&ran] { ++ran; }, {.size = std::chrono::microseconds(i)});
      pool.post([&ran] { ++ran; });
    }
    ASSERT_TRUE(pool.wait_idle(soon())) << dispatch::name(policy);
    EXPECT_EQ(ran, 6000) << dispatch::name(policy);
  }
}

}  // namespace
}  // namespace artel::pool
