// Who gets in, in what order, and who is not run any more: full, priorities, deadlines, stop
// tokens.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stop_token>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/pool/priority.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using std::chrono::milliseconds;

TEST(Pool, FullMeansRefusedAtOnceOrAfterAWhileAsAsked) {
  HeldPool held({.workers = 1, .queue = 1, .common = 2, .when_full = dispatch::WhenFull::reject});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(held->post([] {}), Admission::accepted) << i;
  EXPECT_EQ(held->post([] {}), Admission::full);
  EXPECT_EQ(held->try_post([] {}), Admission::full);
  EXPECT_EQ(held->try_submit([] {}).error().code, ErrorCode::full);
  EXPECT_EQ(held->submit([] {}).result().error().code, ErrorCode::full);
  EXPECT_EQ(held->submit_until([] {}, later(steady_now(), milliseconds(1))).error().code,
            ErrorCode::timeout);
  held.release();
  EXPECT_TRUE(held->submit_until([] {}, soon()).has_value());
}

TEST(Pool, FullMakesSubmittersWaitForRoom) {
  std::atomic<int> ran = 0;
  Pool pool{{.workers = 1, .queue = 1, .common = 1}};
  std::vector<std::thread> submitters;
  for (int s = 0; s < 3; ++s) {
    submitters.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) pool.post([&ran] { ++ran; });
    });
  }
  for (auto& submitter : submitters) submitter.join();
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 6000);
}

TEST(Pool, WithoutACommonQueueSubmittersWaitForTheWorkers) {
  std::atomic<int> ran = 0;
  Pool pool{{.workers = 2, .queue = 2, .common = 0}};
  for (int i = 0; i < 5000; ++i) pool.post([&ran] { ++ran; });
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 5000);
}

TEST(Pool, ATaskMaySubmitToItsOwnFullPool) {
  std::atomic<int> ran = 0;
  Pool pool{{.workers = 1, .queue = 1, .common = 1}};
  pool.post([&] {
    for (int i = 0; i < 100; ++i) pool.post([&ran] { ++ran; });
  });
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 100);
}

TEST(Pool, TasksThatFillTheirOwnPoolDoNotDeadlockWithoutSpareThreads) {
  std::atomic<int> ran = 0;
  Pool pool{{.workers = 2, .queue = 1, .common = 1, .spares = 0}};
  for (int t = 0; t < 4; ++t) {
    pool.post([&] {
      for (int i = 0; i < 100; ++i) pool.post([&ran] { ++ran; });
    });
  }
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 400);
}

TEST(Pool, NodesOfClaimedTasksAreFreed) {
  auto counted = std::make_shared<int>();
  Pool pool{{.workers = 1}};
  pool.submit([&] {
        for (int i = 0; i < 100; ++i) pool.submit([counted] { return counted; }).get();
      })
      .get();
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(Pool, StopReleasesWaitingSubmitters) {
  HeldPool held({.workers = 1, .queue = 1, .common = 1});
  for (int i = 0; i < 2; ++i) held->post([] {});
  std::thread submitter([&] { EXPECT_EQ(held->post([] {}), Admission::closed); });
  std::thread stopper([&] { held->stop(); });
  submitter.join();
  held.release();
  stopper.join();
}

TEST(Pool, UrgentTasksOvertakeWhatWaitsAndLowOnesComeLast) {
  std::vector<int> order;
  HeldPool held({.workers = 1});
  const auto add = [&order](int i) { return [&order, i] { order.push_back(i); }; };
  held->post(add(5), {.priority = Priority::low});
  held->post(add(3));
  held->post(add(4));
  held->post(add(1), {.priority = Priority::high});
  held->post(add(2), {.priority = Priority::high});
  held->post(add(6), {.priority = Priority::low});
  held.release();
  ASSERT_TRUE(held->wait_idle(soon()));
  EXPECT_EQ(order, (std::vector{1, 2, 3, 4, 5, 6}));
}

TEST(Pool, OneWorkerKeepsTheOrderOfArrival) {
  std::vector<int> order;
  HeldPool held({.workers = 1, .queue = 10});
  for (int i = 0; i < 1000; ++i) held->post([&order, i] { order.push_back(i); });
  held.release();
  ASSERT_TRUE(held->wait_idle(soon()));
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(Pool, TasksPastTheirDeadlineExpireUnstarted) {
  std::atomic<bool> ran = false;
  HeldPool held({.workers = 1});
  auto late = held->submit([&ran] { ran = true; }, {.deadline = steady_now()});
  held->post([&ran] { ran = true; }, {.deadline = steady_now()});
  auto timely = held->submit([] { return 1; }, {.deadline = soon()});
  held.release();
  ASSERT_TRUE(held->wait_idle(soon()));
  EXPECT_EQ(late.result().error().code, ErrorCode::expired);
  EXPECT_EQ(timely.get(), 1);
  EXPECT_FALSE(ran);
  EXPECT_EQ(held->stats().total.outcomes.of(TaskOutcome::expired), 2U);
}

TEST(Pool, StopTokensCancelWhatHasNotStarted) {
  std::stop_source source;
  std::atomic<bool> ran = false;
  HeldPool held({.workers = 1});
  auto future = held->submit([&ran] { ran = true; }, {.stop = source.get_token()});
  held->post([&ran] { ran = true; }, {.stop = source.get_token()});
  source.request_stop();
  held.release();
  EXPECT_EQ(future.result().error().code, ErrorCode::cancelled);
  ASSERT_TRUE(held->wait_idle(soon()));
  EXPECT_FALSE(ran);
  EXPECT_EQ(held->stats().total.outcomes.of(TaskOutcome::cancelled), 2U);
}

}  // namespace
}  // namespace artel::pool
