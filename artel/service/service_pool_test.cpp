#include "artel/service/service_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <fstream>
#include <ios>
#include <iterator>
#include <latch>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/service/service_options.hpp"
#include "artel/service/service_stats.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/pool/quiet_threads.hpp"
#include "tests/service/counter_service.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

TEST(ServicePool, WorkersKeepTheirStateOnTheirThread) {
  World world;
  {
    CounterPool service({.pool = {.workers = 1}}, &world);
    EXPECT_EQ(service.call(Add{2}).get(), 2);
    EXPECT_EQ(service.call(Add{3}).get(), 5);
    EXPECT_TRUE(service.cast(Add{4}));
    EXPECT_EQ(service.call(Add{0}).get(), 9);
    EXPECT_NE(service.call(Where{}).get(), std::this_thread::get_id());
    expect_accounts_close(service);
  }
  EXPECT_EQ(world.built, 1);
  EXPECT_EQ(world.alive, 0);
  EXPECT_EQ(world.terminated, 1);
}

TEST(ServicePool, EveryThreadHasAWorkerOfItsOwn) {
  World world;
  CounterPool service({.pool = {.workers = 4}}, &world);
  ASSERT_TRUE(service.wait_serving(soon()));
  EXPECT_EQ(world.built, 4);
  const auto stats = service.stats();
  EXPECT_EQ(stats.built, 4U);
  for (const WorkerHealth& worker : stats.workers) EXPECT_EQ(worker.state, WorkerState::serving);
}

TEST(ServicePool, MovesRequestsThatCannotBeCopied) {
  struct Echo {
    std::unique_ptr<int> handle(std::unique_ptr<int> request) { return request; }
  };
  ServicePool<Echo> service({.pool = {.workers = 1}, .retries = 3});
  EXPECT_EQ(*service.call(std::make_unique<int>(7)).get(), 7);
}

TEST(ServicePool, TheFactoryLearnsWhichWorkerItMakes) {
  struct Named {
    WorkerId id;
    WorkerId handle(int /*any*/) const { return id; }
  };
  ServicePool<Named> service({.pool = {.workers = 1}},
                             [](WorkerId id) { return std::make_unique<Named>(Named{id}); });
  EXPECT_EQ(service.call(0).get(), WorkerId{0});
}

TEST(ServicePool, AnOrdinaryExceptionGoesToWhoeverCalledAndTheWorkerGoesOn) {
  World world;
  std::atomic<int> heard = 0;
  CounterPool service(
      {.pool = {.workers = 1, .on_exception = [&heard](const std::exception_ptr&) { ++heard; }}},
      &world);
  EXPECT_EQ(service.call(Add{1}).get(), 1);
  EXPECT_THROW(service.call(Throw{}).get(), std::invalid_argument);
  EXPECT_EQ(heard, 0);
  EXPECT_TRUE(service.cast(Throw{}));
  EXPECT_EQ(service.call(Add{1}).get(), 2);
  EXPECT_EQ(heard, 1);
  EXPECT_EQ(world.built, 1);
  expect_accounts_close(service);
}

TEST(ServicePool, WhatAHandlerThrowsEndsNothing) {
  World world;
  CounterPool service(
      {.pool = {.workers = 1, .on_exception = [](const std::exception_ptr&) { throw 1; }}}, &world);
  EXPECT_TRUE(service.cast(Throw{}));
  EXPECT_EQ(service.call(Add{1}).get(), 1);
  EXPECT_EQ(world.built, 1);
  expect_accounts_close(service);
}

TEST(ServicePool, StopCancelsWhatWaits) {
  World world;
  world.refuse = 1'000'000;
  CounterPool service(
      {.pool = {.workers = 1},
       .supervision = {.backoff_first = seconds(1000), .backoff_max = seconds(1000)}},
      &world);
  auto answer = service.call(Add{1});
  service.stop(pool::StopMode::cancel);
  EXPECT_FALSE(answer.result());
  EXPECT_EQ(service.call(Add{1}).result().error().code, ErrorCode::closed);
  expect_accounts_close(service);
}

TEST(ServicePool, HonoursDeadlinesStopTokensAndPriorities) {
  struct Slow {
    std::latch* started;
    std::latch* go;
    std::vector<int>* order;
    void handle(int number) {
      if (number == 0) {
        started->count_down();
        go->wait();
      }
      order->push_back(number);
    }
  };
  std::latch started(1), go(1);
  std::vector<int> order;
  ServicePool<Slow> service({.pool = {.workers = 1, .queue = 1}}, [&](WorkerId) {
    return std::make_unique<Slow>(Slow{&started, &go, &order});
  });
  auto first = service.call(0);
  started.wait();
  std::stop_source stop;
  auto stopped = service.call(1, {.stop = stop.get_token()});
  auto late = service.call(2, {.deadline = later(steady_now(), Duration{1})});
  auto low = service.call(3, {.priority = pool::Priority::low});
  auto normal = service.call(4);
  auto high = service.call(5, {.priority = pool::Priority::high});
  stop.request_stop();
  go.count_down();
  EXPECT_EQ(stopped.result().error().code, ErrorCode::cancelled);
  EXPECT_EQ(late.result().error().code, ErrorCode::expired);
  for (auto* each : {&first, &low, &normal, &high}) each->get();
  EXPECT_EQ(order, (std::vector<int>{0, 5, 4, 3}));
  expect_accounts_close(service);
}

TEST(ServicePool, TellsAtOnceWhoseTimeIsOver) {
  struct Slow {
    std::latch* go;
    void handle(int /*any*/) const { go->wait(); }
  };
  std::latch go(1);
  ServicePool<Slow> service({.pool = {.workers = 1}},
                            [&](WorkerId) { return std::make_unique<Slow>(Slow{&go}); });
  auto first = service.call(0);
  std::stop_source stop;
  auto stopped = service.call(1, {.stop = stop.get_token()});
  auto late = service.call(2, {.deadline = later(steady_now(), std::chrono::milliseconds(5))});
  stop.request_stop();
  EXPECT_TRUE(stopped.ready());
  EXPECT_TRUE(late.wait_for(std::chrono::minutes(1)));
  EXPECT_EQ(stopped.result().error().code, ErrorCode::cancelled);
  EXPECT_EQ(late.result().error().code, ErrorCode::expired);
  go.count_down();
  first.get();
  expect_accounts_close(service);
}

TEST(ServicePool, RefusesWhenFullIfToldSo) {
  struct Slow {
    std::atomic<int>* begun;
    std::latch* go;
    void handle(int /*any*/) {
      begun->fetch_add(1);
      begun->notify_all();
      go->wait();
    }
  };
  std::atomic<int> begun = 0;
  std::latch go(1);
  ServicePool<Slow> service(
      {.pool = {.workers = 1, .queue = 1, .common = 1, .when_full = dispatch::WhenFull::reject}},
      [&](WorkerId) { return std::make_unique<Slow>(Slow{&begun, &go}); });
  std::vector<pool::Future<void>> futures;
  futures.push_back(service.call(0));
  begun.wait(0);  // from now on nothing leaves the queues
  Result<pool::Future<void>> more = service.try_call(0);
  for (; more; more = service.try_call(0)) {
    ASSERT_LT(futures.size(), 4U);
    futures.push_back(std::move(*more));
  }
  EXPECT_EQ(more.error().code, ErrorCode::full);
  EXPECT_EQ(service.cast(0).error().code, ErrorCode::full);
  go.count_down();
  expect_accounts_close(service);
}

TEST(ServicePool, AHandlerMayCallItsOwnService) {
  struct Fib;
  static std::atomic<ServicePool<Fib>*> self = nullptr;
  struct Fib {
    int handle(int n) {
      if (n < 2) return n;
      auto& service = *self.load();
      auto left = service.call(n - 1);
      auto right = service.call(n - 2);
      return left.get() + right.get();
    }
  };
  ServicePool<Fib> service({.pool = {.workers = 1, .spares = 200}});
  self = &service;
  EXPECT_EQ(service.call(6).get(), 8);
  expect_accounts_close(service);
}

TEST(ServicePool, ResizesAndBuildsWorkersForTheNewThreads) {
  World world;
  CounterPool service({.pool = {.workers = 1, .workers_max = 4}}, &world);
  for (const unsigned size : {4U, 1U, 3U, 2U}) {
    ASSERT_TRUE(service.resize(size));
    ASSERT_TRUE(service.wait_resized(soon()));
    ASSERT_TRUE(service.wait_serving(soon()));
    for (int i = 0; i < 50; ++i) service.call(Add{1}).get();
  }
  service.stop();
  EXPECT_EQ(world.alive, 0);
  EXPECT_EQ(world.terminated, world.built);
  EXPECT_EQ(service.stats().workers[0].state, WorkerState::vacant);
}

// ---- Options

TEST(ServiceOptions, ErrorsNameTheFieldAndTheRange) {
  const auto error_of = [](ServiceOptions options) {
    auto result = check(std::move(options));
    return result ? std::string() : result.error().what;
  };
  EXPECT_EQ(error_of({}), "");
  EXPECT_THAT(error_of({.supervision = {.jitter = 1.5}}),
              HasSubstr("supervision.jitter is 1.5; allowed: 0 to 1"));
  EXPECT_THAT(error_of({.supervision = {.restarts_within = Duration::zero()}}),
              HasSubstr("supervision.restarts_within"));
  EXPECT_THAT(error_of({.supervision = {.backoff_first = seconds(9)}}),
              HasSubstr("supervision.backoff_max is 5.00 s; allowed: backoff_first"));
  EXPECT_THAT(error_of({.retries = 1001}), HasSubstr("retries is 1001; allowed: 0 to 1000"));
  EXPECT_THAT(error_of({.pool = {.workers_min = 0}}), HasSubstr("workers_min is 0"));
  EXPECT_THAT(error_of({.beacon_every = Duration{1}}), HasSubstr("beacon_every"));
  EXPECT_THAT(error_of({.beacon_limit = Duration{1}}), HasSubstr("beacon_limit"));
}

TEST(ServicePool, SendsBeaconsOnlyIfSomebodyAsksForThem) {
  EXPECT_EQ(check(ServiceOptions{})->pool.beacon_every, Duration::zero());
  EXPECT_EQ(check({.beacon_limit = milliseconds(40)})->pool.beacon_every, milliseconds(10));
  EXPECT_EQ(check({.beacon_limit = seconds(60)})->pool.beacon_every, milliseconds(200));
  EXPECT_EQ(check({.beacon_limit = milliseconds(2)})->pool.beacon_every, milliseconds(1));
  EXPECT_EQ(check({.beacon_every = seconds(1), .beacon_limit = milliseconds(40)})->beacon_every,
            seconds(1));
}

TEST(ServicePool, WakesNobodyWhileItIsIdle) {
  World world;
  CounterPool service({.pool = {.workers = 3}}, &world);
  ASSERT_TRUE(service.wait_serving(soon()));
  ASSERT_TRUE(service.wait_idle(soon()));
  EXPECT_TRUE(pool::other_threads_fall_quiet());
}

TEST(ServicePool, StopWithADeadlineNamesTheRequestThatRuns) {
  struct Hold {
    std::latch* started;
    std::latch* go;
  };
  struct Holder {
    void handle(const Hold& hold) {
      hold.started->count_down();
      hold.go->wait();
    }
  };
  std::latch started(1), go(1);
  ServicePool<Holder> service{{.pool = {.workers = 1}}};
  ASSERT_TRUE(service.cast(Hold{&started, &go}));
  started.wait();
  const auto running =
      service.stop(pool::StopMode::cancel, later(steady_now(), std::chrono::milliseconds(1)));
  ASSERT_EQ(running.size(), 1U);
  EXPECT_NE(running[0].task.find("::Hold>"), std::string::npos) << running[0].task;
  go.count_down();
  EXPECT_TRUE(service.stop(pool::StopMode::cancel, soon()).empty());
}

TEST(ServicePool, RecordsItsRequests) {
  struct Doubler {
    [[nodiscard]] int handle(int n) const { return 2 * n; }
  };
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.trace";
  ServicePool<Doubler> service{{.pool = {.workers = 2}}};
  ASSERT_TRUE(service.record(file));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(service.call(i).get(), 2 * i);
  EXPECT_EQ(service.stop_recording()->tasks, 100U);
  std::ifstream in(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  const auto trace = trace::read_trace(std::as_bytes(std::span(bytes)), "a.trace");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->tasks.size(), 100U);
  for (const auto& task : trace->tasks) EXPECT_EQ(task.outcome, trace::TaskOutcome::done);
}

}  // namespace
}  // namespace artel::service
