// A pool whose system has no more threads, or no more memory: nothing is lost, and nothing ends the
// process. Replaces pthread_create and operator new of this binary.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <latch>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "tests/pool/held_pool.hpp"

namespace {

std::atomic<bool> no_threads = false;
std::atomic<std::size_t> no_memory_from = SIZE_MAX;  // requests at least this large fail

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*run)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return no_threads ? EAGAIN : real(thread, attributes, run, argument);
}

void* operator new(std::size_t size) {
  if (size < no_memory_from.load(std::memory_order_relaxed)) {
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace artel::pool {
namespace {

using namespace std::chrono_literals;

/// As long as it lives there are no threads to be had.
struct NoThreads {
  NoThreads() { no_threads = true; }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
  ~NoThreads() { no_threads = false; }
};
/// The same for memory in pieces of that size and above.
struct NoMemory {
  explicit NoMemory(std::size_t from) { no_memory_from = from; }
  NoMemory(const NoMemory&) = delete;
  NoMemory& operator=(const NoMemory&) = delete;
  ~NoMemory() { no_memory_from = SIZE_MAX; }
};

TEST(PoolFaults, WithoutThreadsThereIsNoPoolButAnError) {
  const NoThreads none;
  const auto pool = Pool::create({.workers = 2});
  ASSERT_FALSE(pool);
  EXPECT_EQ(pool.error().code, ErrorCode::unsupported);
}

TEST(PoolFaults, AResizeThatFindsNoThreadsChangesNothing) {
  Pool pool{{.workers = 1, .workers_max = 4}};
  {
    const NoThreads none;
    EXPECT_EQ(pool.resize(3).error().code, ErrorCode::unsupported);
    EXPECT_EQ(pool.size(), 1U);
  }
  {
    const NoMemory none(100);
    const auto resized = pool.resize(3);
    EXPECT_FALSE(resized);
  }
  EXPECT_EQ(pool.size(), 1U);
  EXPECT_TRUE(pool.resize(3));
  std::vector<Future<int>> futures;
  for (int i = 0; i < 100; ++i) futures.push_back(pool.submit([] { return 1; }));
  for (auto& future : futures) EXPECT_EQ(future.get(), 1);
}

TEST(PoolFaults, AStalledWorkerThatCannotBeReplacedGoesOnAfterwards) {
  std::atomic<int> reported = 0;
  std::atomic<bool> replaced = false;
  Pool pool{{.workers = 1, .stall_after = 5ms, .on_stall = [&](const Stall& stall) {
               replaced = stall.replaced;
               ++reported;
             }}};
  std::latch started(1), go(1);
  auto stuck = pool.submit([&] {
    started.count_down();
    go.wait();
  });
  started.wait();
  {
    const NoThreads none;
    const Instant end = soon();
    while (reported == 0 && steady_now() < end) std::this_thread::yield();
  }
  EXPECT_EQ(reported, 1);
  EXPECT_FALSE(replaced);
  auto behind = pool.submit([] { return 1; });
  go.count_down();
  EXPECT_TRUE(behind.wait_until(soon()));
  stuck.get();
  pool.stop();
  EXPECT_TRUE(behind.ready());
}

TEST(PoolFaults, AWaitWithoutThreadsIsAnErrorAndThePoolGoesOn) {
  Pool pool{{.workers = 1}};
  Promise<int> promise;
  auto given = promise.future();
  {
    const NoThreads none;
    auto waits = pool.submit([&given] { return given.get(); });
    EXPECT_THROW(waits.get(), TaskError);
  }
  EXPECT_EQ(pool.submit([] { return 1; }).get(), 1);
}

TEST(PoolFaults, WorkersNeedNoMemoryForWhatWasAccepted) {
  constexpr int kTasks = 20'000;
  std::atomic<int> ran = 0;
  Pool pool{{.workers = 2, .queue = 1, .common = kTasks}};
  std::latch go(1);
  for (int i = 0; i < 2; ++i) pool.post([&go] { go.wait(); });
  for (int i = 0; i < kTasks; ++i) pool.post([&ran] { ++ran; });
  const NoMemory none(1);
  go.count_down();
  EXPECT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, kTasks);
}

TEST(PoolFaults, ASubmissionWithoutMemoryThrowsAndLeavesNothing) {
  std::atomic<int> ran = 0;
  int accepted = 0;
  int thrown = 0;
  HeldPool held({.workers = 1});
  {
    const NoMemory none(2'000);  // the blocks of the common queue
    for (int i = 0; i < 3'000; ++i) {
      try {
        if (held->post([&ran] { ++ran; }) == Admission::accepted) ++accepted;
      } catch (const std::bad_alloc&) {
        ++thrown;
      }
    }
  }
  EXPECT_GT(thrown, 0);
  held.release();
  EXPECT_TRUE(held->wait_idle(soon()));
  EXPECT_EQ(ran, accepted);
  expect_accounts_close(held->stats());
}

TEST(PoolFaults, StoppingNeedsNoMemory) {
  HeldPool held({.workers = 1});
  std::vector<Future<int>> futures;
  for (int i = 0; i < 100; ++i) futures.push_back(held->submit([] { return 1; }));
  std::jthread stopper([&held] { held->stop(StopMode::cancel); });
  while (!held->stopped()) std::this_thread::yield();
  {
    const NoMemory none(1);
    for (auto& future : futures) future.wait();
    held.release();
  }
  stopper.join();
  for (auto& future : futures) EXPECT_FALSE(future.result());
}

}  // namespace
}  // namespace artel::pool
