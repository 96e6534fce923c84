#include "artel/pool/task_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TaskGraph, RunsTasksAfterWhatTheyComeAfterAgainAndAgain) {
  Pool pool{{.workers = 3}};
  TaskGraph graph;
  std::mutex lock;
  std::vector<std::string> order;
  const auto add = [&](const std::string& name) {
    return graph.add(name, [&, name] {
      const std::lock_guard guard(lock);
      order.push_back(name);
    });
  };
  const auto last = add("last");  // the order of adding says nothing
  const auto middle = add("middle");
  const auto first = add("first");
  last.after({first, middle});
  middle.after(first);
  for (int round = 0; round < 3; ++round) {
    graph.run(pool).get();
    EXPECT_THAT(std::exchange(order, {}), ElementsAre("first", "middle", "last"));
  }
}

TEST(TaskGraph, WhatDependsOnNothingRunsAtOnce) {
  Pool pool{{.workers = 3}};
  TaskGraph graph;
  std::latch all(3);
  for (int i = 0; i < 3; ++i) graph.add([&] { all.arrive_and_wait(); });
  graph.run(pool).get();
}

TEST(TaskGraph, AnEmptyOneIsDoneAtOnce) {
  Pool pool{{.workers = 1}};
  TaskGraph().run(pool).get();
}

TEST(TaskGraph, ACycleIsAnErrorThatNamesItsTasks) {
  Pool pool{{.workers = 1}};
  TaskGraph graph;
  const auto start = graph.add("start", [] { FAIL(); });
  const auto a = graph.add("a", [] { FAIL(); }).after(start);
  const auto b = graph.add([] { FAIL(); }).after(a);
  graph.add("end", [] { FAIL(); }).after({a, b});
  a.after(b);
  const auto result = graph.run(pool).result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid);
  EXPECT_THAT(result.error().what, HasSubstr("'a' after 'task 3'"));
  EXPECT_THAT(result.error().what, Not(HasSubstr("start")));
  EXPECT_THAT(result.error().what, Not(HasSubstr("end")));
  TaskGraph self;
  const auto own = self.add("own", [] {});
  own.after(own);
  EXPECT_THAT(self.run(pool).result().error().what, HasSubstr("'own' after 'own'"));
}

TEST(TaskGraph, AnExceptionSkipsWhatComesAfterAndIsTheResult) {
  Pool pool{{.workers = 2}};
  TaskGraph graph;
  std::atomic<int> ran = 0;
  bool throws = true;
  const auto bad = graph.add([&] {
    if (throws) throw 7;
  });
  const auto after = graph.add([&] { ran += 100; }).after(bad);
  const auto good = graph.add([&] { ++ran; });
  graph.add([&] { ran += 100; }).after({after, good});
  graph.add([&] { ++ran; }).after(good);
  EXPECT_THROW(graph.run(pool).get(), int);
  EXPECT_EQ(ran, 2);
  throws = false;
  ran = 0;
  graph.run(pool).get();
  EXPECT_EQ(ran, 202);
}

TEST(TaskGraph, IsStoppedByItsToken) {
  Pool pool{{.workers = 1}};
  TaskGraph graph;
  std::stop_source stop;
  std::atomic<int> ran = 0;
  const auto first = graph.add([&] {
    ++ran;
    stop.request_stop();
  });
  graph.add([&] { ++ran; }).after(first);
  EXPECT_EQ(graph.run(pool, stop.get_token()).result().error().code, ErrorCode::cancelled);
  EXPECT_EQ(ran, 1);
}

TEST(TaskGraph, RunsOnceAtATime) {
  Pool pool{{.workers = 1}};
  TaskGraph graph;
  std::latch go(1);
  graph.add([&] { go.wait(); });
  auto first = graph.run(pool);
  EXPECT_EQ(graph.run(pool).result().error().code, ErrorCode::invalid);
  go.count_down();
  first.get();
  graph.run(pool).get();
}

TEST(TaskGraph, RunsToItsEndWithoutItsHandle) {
  HeldPool held({.workers = 1});
  std::atomic<int> ran = 0;
  auto graph = std::make_unique<TaskGraph>();
  auto last = graph->add([&] { ++ran; });
  for (int i = 0; i < 10; ++i) last = graph->add([&] { ++ran; }).after(last);
  auto done = graph->run(*held);
  graph.reset();
  held.release();
  done.get();
  EXPECT_EQ(ran, 11);
}

TEST(TaskGraph, EndsInAPoolThatIsFullOrStops) {
  std::atomic<int> ran = 0;
  const auto fan = [&](TaskGraph& graph) {
    const auto first = graph.add([&] { ++ran; });
    for (int i = 0; i < 50; ++i) {
      graph.add([&] { ++ran; }).after(graph.add([&] { ++ran; }).after(first));
    }
  };
  for (const StopMode mode : {StopMode::drain, StopMode::cancel}) {
    HeldPool held({.workers = 1, .queue = 2, .common = 2, .when_full = dispatch::WhenFull::reject});
    TaskGraph graph;
    fan(graph);
    ran = 0;
    auto done = graph.run(*held);
    std::thread stopper([&] { held->stop(mode); });
    while (!held->stopped()) std::this_thread::yield();
    held.release();
    stopper.join();
    if (mode == StopMode::drain) {
      done.get();
      EXPECT_EQ(ran, 101);
    } else {
      EXPECT_EQ(done.result().error().code, ErrorCode::cancelled);
      EXPECT_EQ(ran, 0);
    }
    EXPECT_EQ(graph.run(*held).result().error().code, ErrorCode::closed);
  }
  Pool narrow{{.workers = 2, .queue = 1, .common = 1, .when_full = dispatch::WhenFull::reject}};
  TaskGraph graph;
  fan(graph);
  ran = 0;
  graph.run(narrow).get();
  EXPECT_EQ(ran, 101);
}

// Random graphs without cycles: each task begins after all that it comes after have ended, and runs
// unless one of them failed or was skipped.
RC_GTEST_PROP(TaskGraph, KeepsEveryOrder, ()) {
  static Pool pool{{.workers = 3}};
  const auto size = *rc::gen::inRange<std::size_t>(1, 40);
  const auto edges =
      *rc::gen::container<std::vector<std::pair<std::size_t, std::size_t>>>(rc::gen::pair(
          rc::gen::inRange<std::size_t>(0, size), rc::gen::inRange<std::size_t>(0, size)));
  const auto failing = *rc::gen::inRange<std::size_t>(0, 3 * size);
  TaskGraph graph;
  std::vector<std::atomic<bool>> ended(size);
  std::vector<std::vector<std::size_t>> before(size);
  std::atomic<bool> ordered = true;
  std::vector<TaskGraph::Step> steps;
  for (std::size_t i = 0; i < size; ++i) {
    steps.push_back(graph.add([&, i] {
      for (const std::size_t other : before[i]) ordered = ordered && ended[other];
      if (i == failing) throw i;
      ended[i] = true;
    }));
  }
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    steps[std::max(a, b)].after(steps[std::min(a, b)]);
    before[std::max(a, b)].push_back(std::min(a, b));
  }
  for (int round = 0; round < 2; ++round) {
    for (auto& each : ended) each = false;
    bool threw = false;
    try {
      graph.run(pool).get();
    } catch (const std::size_t& thrown) {
      threw = thrown == failing;
    }
    RC_ASSERT(ordered);
    RC_ASSERT(threw == (failing < size));
    std::vector<bool> expected(size);
    for (std::size_t i = 0; i < size; ++i) {
      expected[i] = i != failing && std::ranges::all_of(before[i], [&](std::size_t other) {
                      return static_cast<bool>(expected[other]);
                    });
      RC_ASSERT(ended[i] == expected[i]);
    }
  }
}

}  // namespace
}  // namespace artel::pool
