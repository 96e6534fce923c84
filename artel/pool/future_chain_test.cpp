// Chains of a million futures, coroutines and callbacks: none needs more stack or keeps more memory
// the longer it is. ARTEL_CHAIN_LENGTH makes them longer.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <latch>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/blocking.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/promise.hpp"
#include "artel/pool/shared_future.hpp"
#include "artel/pool/strand.hpp"
#include "artel/pool/when_all.hpp"
#include "artel/pool/when_any.hpp"
#include "tests/sanitized.hpp"

namespace artel::pool {
namespace {

// Every thread that a test starts, the workers of its pools included, has a stack of this size.
constexpr std::size_t kStackBytes = std::size_t{kSanitized ? 1024 : 256} << 10U;

std::int64_t length() {
  const char* const text = std::getenv("ARTEL_CHAIN_LENGTH");
  if (text != nullptr) return std::atoll(text);
  return kSanitized ? 30'000 : 1'000'000;
}

class FutureChain : public testing::Test {
 protected:
  FutureChain() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, kStackBytes);
    pthread_setattr_default_np(&small);
    pthread_attr_destroy(&small);
  }
  ~FutureChain() override {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }

  /// On a thread with such a stack.
  static void on_small_stack(const std::function<void()>& body) {
    std::thread thread(body);
    thread.join();
  }

 private:
  pthread_attr_t before_{};
};

std::int64_t resident_bytes() {
  long total = 0, resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  EXPECT_EQ(std::fscanf(file, "%ld %ld", &total, &resident), 2);
  std::fclose(file);
  return std::int64_t{resident} * sysconf(_SC_PAGESIZE);
}

Future<std::int64_t> ready_with(std::int64_t value) {
  Promise<std::int64_t> promise;
  auto future = promise.future();
  promise.set_value(value);
  return future;
}

// ---- Coroutines

Future<std::int64_t> one_more(Future<std::int64_t> before) {
  co_return co_await std::move(before) + 1;
}

TEST_F(FutureChain, CoroutinesThatAwaitEachOtherNeedNoStack) {
  on_small_stack([] {
    Promise<std::int64_t> promise;
    auto future = promise.future();
    for (std::int64_t i = 0; i < length(); ++i) future = one_more(std::move(future));
    promise.set_value(0);
    EXPECT_EQ(future.get(), length());
  });
}

TEST_F(FutureChain, OfCoroutinesGetsTheErrorOfTheFirst) {
  on_small_stack([] {
    auto promise = std::make_optional<Promise<std::int64_t>>();
    auto future = promise->future();
    for (std::int64_t i = 0; i < length() / 20; ++i) future = one_more(std::move(future));
    promise.reset();
    const auto result = future.result();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::closed);
  });
}

Future<std::int64_t> count_in_pool(Pool& pool, std::int64_t n) {
  co_await pool.schedule();
  if (n == 0) co_return 0;
  co_return co_await count_in_pool(pool, n - 1) + 1;
}

TEST_F(FutureChain, CoroutinesThatStartEachOtherInThePoolNeedNoStack) {
  Pool pool{{.workers = 2}};
  EXPECT_EQ(count_in_pool(pool, length()).get(), length());
}

// ---- Loops: each turn returns the Future of the next

template <class Executor>
Future<std::int64_t> loop_by_then(Pool& pool, Executor& executor, std::int64_t n,
                                  std::function<void()> at_end) {
  if (n == 0) {
    at_end();
    return ready_with(5);
  }
  return pool.submit([n] { return n - 1; })
      .then(executor, [&pool, &executor, at_end = std::move(at_end)](std::int64_t left) mutable {
        return loop_by_then(pool, executor, left, std::move(at_end));
      });
}

template <class Loop>
void expect_constant_memory(const Loop& loop) {
  static_cast<void>(loop(length() / 100, [] {}).get());  // what is allocated once
  const std::int64_t before = resident_bytes();
  std::atomic<std::int64_t> grown = 0;
  EXPECT_EQ(loop(length(), [&] { grown = resident_bytes() - before; }).get(), 5);
  if (!kSanitized) {  // sanitizers keep what is freed
    EXPECT_LT(grown, 16 << 20);
  }
}

TEST_F(FutureChain, AThenThatUnwrapsLoopsInConstantStackAndMemory) {
  Pool pool{{.workers = 2}};
  expect_constant_memory([&](std::int64_t n, std::function<void()> at_end) {
    return loop_by_then(pool, pool, n, std::move(at_end));
  });
}

TEST_F(FutureChain, AThenOnAStrandThatUnwrapsLoopsInConstantStackAndMemory) {
  Pool pool{{.workers = 2}};
  Strand strand(pool);
  expect_constant_memory([&](std::int64_t n, std::function<void()> at_end) {
    return loop_by_then(pool, strand, n, std::move(at_end));
  });
}

Future<std::int64_t> loop_at_once(std::int64_t n, const std::function<void()>& at_end) {
  if (n == 0) {
    at_end();
    return ready_with(5);
  }
  return ready_with(n - 1).then(
      [&at_end](std::int64_t left) { return loop_at_once(left, at_end); });
}

TEST_F(FutureChain, AThenOfReadyFuturesThatUnwrapsLoopsInConstantStackAndMemory) {
  on_small_stack([] { expect_constant_memory(loop_at_once); });
}

TEST_F(FutureChain, AnUnwrappedLoopWhoseFutureWasDroppedGoesOn) {
  Pool pool{{.workers = 2}};
  std::latch ended(1);
  static_cast<void>(loop_by_then(pool, pool, length() / 10, [&] { ended.count_down(); }));
  ended.wait();
}

TEST_F(FutureChain, AnUnwrappedLoopGetsTheErrorOfItsLastTurn) {
  Pool pool{{.workers = 2}};
  std::function<Future<int>(std::int64_t)> loop = [&](std::int64_t n) {
    if (n == 0) return Future<int>::refused({ErrorCode::full, "the last", ""});
    return pool.submit([] {}).then([&, n] { return loop(n - 1); });
  };
  const auto result = loop(1000).result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "the last");
}

TEST(FutureNesting, FuturesOfFuturesOfFuturesAreUnwrappedLevelByLevel) {
  for (const bool outer_first : {true, false}) {
    Promise<Future<Future<int>>> outer;
    Promise<Future<int>> middle;
    Promise<int> inner;
    auto all = outer.future().unwrap().unwrap();
    auto of_middle = middle.future();
    auto of_inner = inner.future();
    if (outer_first) outer.set_value(std::move(of_middle));
    middle.set_value(std::move(of_inner));
    if (!outer_first) outer.set_value(std::move(of_middle));
    EXPECT_FALSE(all.ready());
    inner.set_value(4);
    EXPECT_EQ(all.get(), 4);
  }
}

// ---- Sharing and combining

TEST_F(FutureChain, OfSharesAndCombinationsNeedsNoStack) {
  on_small_stack([] {
    Promise<int> promise;
    auto future = promise.future();
    for (std::int64_t i = 0; i < length() / 4; ++i) {
      future = future.share().future();
      std::vector<Future<int>> one;
      one.push_back(std::move(future));
      future = when_all(std::move(one)).then([](std::vector<Future<int>> all) {
        return all.front().get();
      });
      one.clear();
      one.push_back(std::move(future));
      future = when_any(std::move(one)).then([](First<int> first) { return first.future.get(); });
    }
    promise.set_value(7);
    EXPECT_EQ(future.get(), 7);
  });
}

TEST_F(FutureChain, OfPromisesThatFulfilEachOtherNeedsNoStack) {
  on_small_stack([] {
    Promise<std::int64_t> first;
    auto future = first.future();
    for (std::int64_t i = 0; i < length(); ++i) {
      Promise<std::int64_t> next;
      auto after = next.future();
      static_cast<void>(
          future.then([next = std::move(next)](std::int64_t n) mutable { next.set_value(n + 1); }));
      future = std::move(after);
    }
    first.set_value(0);
    EXPECT_EQ(future.get(), length());
  });
}

// ---- Ends

TEST_F(FutureChain, WhoseExecutorRefusesEndsWithoutStack) {
  on_small_stack([] {
    Pool pool{{.workers = 1}};
    pool.stop();
    Promise<int> promise;
    auto future = promise.future();
    for (std::int64_t i = 0; i < length(); ++i) {
      future = future.then(pool, [](int n) { return n; });
    }
    promise.set_value(1);
    EXPECT_FALSE(future.result());
  });
}

TEST_F(FutureChain, OfPromisesThatBreakEachOtherEndsWithoutStack) {
  on_small_stack([] {
    auto first = std::make_optional<Promise<int>>();
    auto future = first->future();
    for (std::int64_t i = 0; i < length(); ++i) {
      Promise<int> next;
      auto after = next.future();
      static_cast<void>(future.then([next = std::move(next)](int) mutable { next.set_value(1); }));
      future = std::move(after);
    }
    first.reset();
    EXPECT_FALSE(future.result());
  });
}

// A list whose items are results.
struct Item {
  std::vector<Future<Item>> next;
};

TEST_F(FutureChain, OfResultsThatOwnEachOtherIsDestroyedWithoutStack) {
  on_small_stack([] {
    Future<Item> head;
    for (std::int64_t i = 0; i < length(); ++i) {
      Item item;
      if (head.valid()) item.next.push_back(std::move(head));
      Promise<Item> promise;
      head = promise.future();
      promise.set_value(std::move(item));
    }
    head = {};
  });
}

// ---- Waiting for what was put off

// Each continuation makes the next one run in the middle of its own work, and waits for it.
TEST(FutureNesting, AContinuationWaitsForOnesThatWerePutOffHoweverDeep) {
  constexpr std::size_t kDepth = kSanitized ? 200 : 1'000;
  std::vector<Promise<void>> promises(kDepth + 1);
  std::vector<Future<int>> ran(kDepth + 1);
  for (std::size_t i = 0; i < kDepth; ++i) {
    ran[i] = promises[i].future().then([&, i] {
      promises[i + 1].set_value();
      return ran[i + 1].get() + 1;
    });
  }
  ran[kDepth] = promises[kDepth].future().then([] { return 0; });
  promises[0].set_value();
  EXPECT_EQ(ran[0].get(), int{kDepth});
}

bool comes_in_time(std::latch& there) {
  const Instant until = later(steady_now(), std::chrono::seconds(20));
  while (!there.try_wait() && steady_now() < until) std::this_thread::yield();
  return there.try_wait();
}

// Another thread needs what this one has put off, and this one sleeps until that has it.
TEST(FutureNesting, WhatWasPutOffIsDoneBeforeTheThreadSleeps) {
  constexpr std::size_t kDepth = 100;
  std::vector<Promise<void>> promises(kDepth + 1);
  std::vector<Future<void>> ran(kDepth + 1);
  std::latch there(1);
  std::thread other;
  bool in_time = false;
  for (std::size_t i = 0; i < kDepth; ++i) {
    ran[i] = promises[i].future().then([&, i] {
      promises[i + 1].set_value();
      if (ran[i + 1].ready() || other.joinable()) return;
      other = std::thread([&, i] {
        ran[i + 1].wait();
        there.count_down();
      });
      in_time = blocking([&] { return comes_in_time(there); });
    });
  }
  ran[kDepth] = promises[kDepth].future().then([] {});
  promises[0].set_value();
  EXPECT_TRUE(in_time);
  ASSERT_TRUE(other.joinable());
  other.join();
}

}  // namespace
}  // namespace artel::pool
