#include "artel/pool/strand.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

TEST(Strand, RunsInOrderAndNeverTwoAtOnce) {
  constexpr int kTasks = 20'000;
  Pool pool{{.workers = 4}};
  const Strand strand(pool);
  std::vector<int> order;  // no lock
  std::atomic<int> at_once = 0;
  for (int i = 0; i < kTasks; ++i) {
    ASSERT_EQ(strand.post([&, i] {
      EXPECT_EQ(++at_once, 1);
      order.push_back(i);
      --at_once;
    }),
              Admission::accepted);
  }
  const auto ran = strand.submit([&] { return order.size(); }).get();
  ASSERT_EQ(ran, static_cast<std::size_t>(kTasks));
  for (int i = 0; i < kTasks; ++i) ASSERT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Strand, ManyPostersKeepTheirOwnOrders) {
  constexpr std::size_t kThreads = 4;
  constexpr int kTasks = 3000;
  Pool pool{{.workers = 3}};
  const Strand strand(pool, 64);  // posters wait for room, too
  std::vector<std::vector<int>> order(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTasks; ++i) strand.post([&, t, i] { order[t].push_back(i); });
    });
  }
  for (std::thread& thread : threads) thread.join();
  strand.submit([] {}).get();
  for (const auto& own : order) {
    ASSERT_EQ(own.size(), static_cast<std::size_t>(kTasks));
    for (int i = 0; i < kTasks; ++i) ASSERT_EQ(own[static_cast<std::size_t>(i)], i);
  }
}

TEST(Strand, GivesItsWorkerBackAfterATurn) {
  Pool pool{{.workers = 1}};
  const Strand strand(pool);
  std::atomic<bool> other_ran = false;
  std::atomic<int> before = 0;
  std::latch posted(1);
  strand.post([&] { posted.wait(); });
  constexpr int kTasks = 1000;
  for (int i = 0; i < kTasks; ++i) {
    strand.post([&] {
      const Instant end = later(steady_now(), microseconds(50));
      while (steady_now() < end) {
      }
      if (!other_ran) ++before;
    });
  }
  auto other = pool.submit([&] { other_ran = true; });
  posted.count_down();
  other.get();
  strand.submit([] {}).get();
  EXPECT_LT(before, kTasks);  // a turn is about two of them
}

TEST(Strand, TaskOfItPostsWithoutWaitingAndKnowsWhereItIs) {
  Pool pool{{.workers = 2}};
  const Strand strand(pool, 1), other(pool);
  EXPECT_FALSE(strand.running_in_this_thread());
  std::vector<int> order;
  strand
      .submit([&] {
        EXPECT_TRUE(strand.running_in_this_thread());
        EXPECT_TRUE(Strand(strand).running_in_this_thread());
        EXPECT_FALSE(other.running_in_this_thread());
        for (int i = 0; i < 100; ++i) {
          EXPECT_EQ(strand.post([&order, i] { order.push_back(i); }), Admission::accepted);
        }
      })
      .get();
  strand.submit([] {}).get();
  EXPECT_EQ(order.size(), 100U);
}

TEST(Strand, ExceptionsGoWhereThoseOfThePoolGo) {
  std::atomic<int> heard = 0;
  Pool pool{{.workers = 2, .on_exception = [&](const std::exception_ptr&) { ++heard; }}};
  const Strand strand(pool);
  strand.post([] { throw 1; });
  auto failed = strand.submit([]() -> int { throw 2; });
  auto later = strand.submit([] { return 3; });
  EXPECT_THROW(failed.get(), int);
  EXPECT_EQ(later.get(), 3);
  EXPECT_EQ(heard, 1);
}

TEST(Strand, WhatAHandlerThrowsEndsNothing) {
  Pool pool{{.workers = 1, .on_exception = [](const std::exception_ptr&) { throw 1; }}};
  const Strand strand(pool);
  strand.post([] { throw 2; });
  EXPECT_EQ(strand.submit([] { return 3; }).get(), 3);
}

TEST(Strand, IsAnExecutorOfContinuations) {
  Pool pool{{.workers = 2}};
  const Strand strand(pool);
  auto on_strand = pool.submit([] { return 20; }).then(strand, [&](int value) {
    return strand.running_in_this_thread() ? value + 1 : 0;
  });
  EXPECT_EQ(on_strand.get(), 21);
  Pool gone{{.workers = 1}};
  const Strand late(gone);
  gone.stop();
  auto refused = pool.submit([] {}).then(late, [] { return 1; });
  EXPECT_FALSE(refused.result().has_value());
}

TEST(Strand, TasksOutliveTheLastHandle) {
  HeldPool held({.workers = 1});
  std::atomic<int> ran = 0;
  auto strand = std::make_unique<Strand>(*held);
  for (int i = 0; i < 10; ++i)
    strand->post([&, owned = std::make_unique<int>(1)] { ran += *owned; });
  EXPECT_EQ(strand->queued(), 10U);
  strand.reset();
  held.release();
  ASSERT_TRUE(held->wait_idle(soon()));
  EXPECT_EQ(ran, 10);
}

TEST(Strand, DrainingRunsWhatWaitsAndCancellingCancelsIt) {
  for (const StopMode mode : {StopMode::drain, StopMode::cancel}) {
    std::atomic<int> ran = 0;
    HeldPool held({.workers = 1});
    const Strand strand(*held);
    std::vector<Future<void>> futures;
    for (int i = 0; i < 50; ++i) futures.push_back(strand.submit([&] { ++ran; }));
    std::thread stopper([&] { held->stop(mode); });
    while (!held->stopped()) std::this_thread::yield();
    held.release();
    stopper.join();
    for (auto& future : futures) {
      const auto result = future.result();
      EXPECT_EQ(result.has_value(), mode == StopMode::drain);
      if (!result) {
        EXPECT_EQ(result.error().code, ErrorCode::cancelled);
      }
    }
    EXPECT_EQ(ran, mode == StopMode::drain ? 50 : 0);
    EXPECT_EQ(strand.post([] {}), Admission::closed);
    EXPECT_EQ(strand.submit([] {}).result().error().code, ErrorCode::closed);
    EXPECT_EQ(strand.queued(), 0U);
  }
}

TEST(Strand, IsRefusedByAFullPoolThatRefuses) {
  HeldPool held({.workers = 1, .queue = 1, .common = 1, .when_full = dispatch::WhenFull::reject});
  const Strand early(*held, 2), late(*held);
  EXPECT_EQ(early.post([] {}), Admission::accepted);
  while (held->try_post([] {}) == Admission::accepted) {
  }
  EXPECT_EQ(early.post([] {}), Admission::accepted);  // its turn is queued
  EXPECT_EQ(early.post([] {}), Admission::full);
  EXPECT_EQ(late.post([] {}), Admission::full);
  EXPECT_EQ(late.submit([] {}).result().error().code, ErrorCode::full);
  held.release();
  ASSERT_TRUE(held->wait_idle(soon()));
  EXPECT_EQ(late.post([] {}), Admission::accepted);
  EXPECT_EQ(late.submit([] { return 1; }).get(), 1);
}

// Strands of tasks that post to one another: all run, and each strand's counter needs no lock.
TEST(Strand, ManyStrandsShareFewWorkers) {
  constexpr std::size_t kStrands = 50;
  constexpr int kHops = 400;
  struct Station {
    explicit Station(Pool& pool) : strand(pool) {}
    Strand strand;
    int visits = 0;
  };
  std::vector<std::unique_ptr<Station>> stations;
  Pool pool{{.workers = 3}};
  for (std::size_t i = 0; i < kStrands; ++i) stations.push_back(std::make_unique<Station>(pool));
  struct Hop {
    std::vector<std::unique_ptr<Station>>* stations;
    std::size_t at;
    int left;
    void operator()() const {
      ++(*stations)[at]->visits;
      if (left == 0) return;
      const std::size_t next = (at * 7 + 3) % stations->size();
      (*stations)[next]->strand.post(Hop{stations, next, left - 1});
    }
  };
  for (std::size_t i = 0; i < kStrands; ++i) stations[i]->strand.post(Hop{&stations, i, kHops});
  ASSERT_TRUE(pool.wait_idle(soon()));
  int visits = 0;
  for (const auto& station : stations) visits += station->visits;
  EXPECT_EQ(visits, static_cast<int>(kStrands) * (kHops + 1));
}

}  // namespace
}  // namespace artel::pool
