// Tasks that expire or are stopped while they wait are told at once, not when their turn comes.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_stats.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using namespace std::chrono_literals;

constexpr auto kLong = 60s;

std::optional<ErrorCode> error_of(Future<int> future) {
  const auto result = future.result();
  if (result) return std::nullopt;
  return result.error().code;
}

TEST(EarlyEnd, ADeadlineIsToldWhileTheWorkerIsBusy) {
  HeldPool held({.workers = 1});
  auto late = held->submit([] { return 1; }, {.deadline = later(steady_now(), 5ms)});
  ASSERT_TRUE(late.wait_for(kLong));
  EXPECT_EQ(error_of(std::move(late)), ErrorCode::expired);
  EXPECT_EQ(held->stats().total.outcomes.of(TaskOutcome::expired), 0U);  // at its turn
  held.release();
  ASSERT_TRUE(held->wait_idle());
  EXPECT_EQ(held->stats().total.outcomes.of(TaskOutcome::expired), 1U);
}

TEST(EarlyEnd, AStopIsToldWhileTheWorkerIsBusy) {
  HeldPool held({.workers = 1});
  std::stop_source user;
  auto waiting = held->submit([] { return 1; }, {.stop = user.get_token()});
  auto next = held->submit([] { return 1; }, {.stop = user.get_token()}).then([](int one) {
    return one + 1;
  });
  EXPECT_FALSE(waiting.ready());
  user.request_stop();
  EXPECT_TRUE(waiting.ready());
  EXPECT_TRUE(next.ready());
  auto after = held->submit([] { return 1; }, {.stop = user.get_token()});
  EXPECT_TRUE(after.ready());
  EXPECT_EQ(error_of(std::move(waiting)), ErrorCode::cancelled);
  EXPECT_EQ(error_of(std::move(next)), ErrorCode::cancelled);
  EXPECT_EQ(error_of(std::move(after)), ErrorCode::cancelled);
  held.release();
  ASSERT_TRUE(held->wait_idle());
  EXPECT_EQ(held->stats().total.outcomes.of(TaskOutcome::cancelled), 3U);
}

TEST(EarlyEnd, WhatBeganIsNotEnded) {
  HeldPool held({.workers = 1});
  std::stop_source user;
  std::atomic<bool> begun = false, go = false;
  auto running = held->submit(
      [&] {
        begun = true;
        while (!go) std::this_thread::yield();
        return 7;
      },
      {.deadline = later(steady_now(), kLong), .stop = user.get_token()});
  held.release();
  while (!begun) std::this_thread::yield();
  user.request_stop();
  EXPECT_FALSE(running.ready());
  go = true;
  EXPECT_EQ(running.get(), 7);
}

TEST(EarlyEnd, NothingIsKeptUntilTheDeadline) {
  Pool pool{{.workers = 1}};
  std::stop_source user;
  std::weak_ptr<int> result;
  {
    auto made = pool.submit([] { return std::make_shared<int>(1); },
                            {.deadline = later(steady_now(), 1h), .stop = user.get_token()});
    result = made.get();
  }
  ASSERT_TRUE(pool.wait_idle());
  while (!result.expired()) std::this_thread::yield();  // the queue lets go a moment later
}

TEST(EarlyEnd, PurgedAndRefusedTasksAreEndedOnce) {
  HeldPool held({.workers = 1, .queue = 1, .common = 2});
  std::stop_source user;
  std::vector<Future<int>> futures;
  for (int i = 0; i < 50; ++i) {
    auto future = held->try_submit(
        [] { return 1; }, {.deadline = later(steady_now(), kLong), .stop = user.get_token()});
    if (future) futures.push_back(std::move(*future));
  }
  ASSERT_LT(futures.size(), 50U);
  EXPECT_EQ(held->purge(), futures.size());
  user.request_stop();
  for (auto& future : futures) EXPECT_EQ(error_of(std::move(future)), ErrorCode::cancelled);
  held.release();
}

// A stop is requested by one thread while workers take the tasks, and while the pool ends.
TEST(EarlyEnd, EveryTaskEndsOnceWhoeverWins) {
  constexpr int kRounds = 100, kTasks = 40;
  int cancelled = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Future<int>> futures;
    std::atomic<int> ran = 0;
    std::stop_source user;
    std::thread stopper;
    PoolStats last;
    {
      Pool pool{{.workers = 2}};
      for (int i = 0; i < kTasks; ++i) {
        if (i == round % kTasks) stopper = std::thread([&user] { user.request_stop(); });
        futures.push_back(pool.submit([&ran] { return ++ran; },
                                      {.deadline = later(steady_now(), i % 3 == 0 ? 20us : kLong),
                                       .stop = user.get_token()}));
      }
      if (round % 2 == 0) {
        ASSERT_TRUE(pool.wait_idle());
      }
      if (round % 4 == 1) pool.stop(StopMode::cancel);
      if (round % 4 != 3) pool.stop();
      last = pool.stats();
    }
    stopper.join();
    int values = 0;
    for (auto& future : futures) {
      ASSERT_TRUE(future.ready());
      if (!error_of(std::move(future))) ++values;
    }
    EXPECT_EQ(values, ran);
    cancelled += kTasks - values;
    if (round % 4 != 3) {
      expect_accounts_close(last);
      EXPECT_EQ(last.total.outcomes.of(TaskOutcome::done), static_cast<unsigned>(ran));
    }
  }
  EXPECT_GT(cancelled, 0);
}

}  // namespace
}  // namespace artel::pool
