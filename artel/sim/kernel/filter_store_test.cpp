#include "artel/sim/kernel/filter_store.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/select.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Numbers = std::vector<int>;

template <class Store>
Task<> put_all(Context&, Store& store, Numbers values) {
  for (const int value : values) co_await store.put(value);
}
template <class Store>
Task<> get_all(Context&, Store& store, Numbers& taken) {
  while (store.size() != 0) taken.push_back(co_await store.get());
}

/// A getter is given the first value, and is cancelled before it runs.
template <class Store>
void give_to_the_dying(Simulation& simulation, Store& store, Numbers values) {
  Context& context = simulation.add_context("main");
  Numbers nowhere;
  const Process<> dying = context.spawn([](Context&, Store& from, Numbers& to) -> Task<> {
    to.push_back(co_await from.get());
  }(context, store, nowhere));
  simulation.run();
  context.spawn([](Context& self, Store& into, Numbers all, Process<> victim) -> Task<> {
    const Process<> putting = self.spawn(put_all(self, into, std::move(all)));
    co_await putting.join();
    victim.cancel();
  }(context, store, std::move(values), dying));
  dying.suspend();  // so that it has not run by then
  simulation.run();
  EXPECT_TRUE(nowhere.empty());
}

TEST(FilterStore, WhatNobodyTookIsBackInItsPlace) {
  Simulation simulation;
  FilterStore<int> store;
  give_to_the_dying(simulation, store, {1, 2, 3});
  Numbers taken;
  Context& context = simulation.add_context("other");
  context.spawn(get_all(context, store, taken));
  simulation.run();
  EXPECT_EQ(taken, (Numbers{1, 2, 3}));
}

TEST(FilterStore, EqualsOfAPriorityStoreKeepTheirOrderToo) {
  struct ByTens {
    bool operator()(int a, int b) const { return a / 10 < b / 10; }
  };
  Simulation simulation;
  PriorityStore<int, ByTens> store;
  give_to_the_dying(simulation, store, {15, 11, 23, 17, 3});
  Numbers taken;
  Context& context = simulation.add_context("other");
  context.spawn(get_all(context, store, taken));
  simulation.run();
  EXPECT_EQ(taken, (Numbers{3, 15, 11, 17, 23}));
}

TEST(FilterStore, WhatComesBackIsKeptAlsoWhenItIsFull) {
  Simulation simulation;
  FilterStore<int> store(2);
  give_to_the_dying(simulation, store, {1, 2, 3});
  EXPECT_EQ(store.size(), 3U);
  EXPECT_EQ(store.capacity(), 2U);
}

TEST(FilterStore, WhatNobodyTookGoesToTheNextWhoWantsIt) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  FilterStore<int> store;
  std::vector<std::string> diary;
  const auto get = [&](Context&, std::string name, int divisor) -> Task<> {
    const int value = co_await store.get([divisor](int v) { return v % divisor == 0; });
    diary.push_back(name + " " + std::to_string(value));
  };
  const Process<> dying = context.spawn(get(context, "dying", 1));
  context.spawn(get(context, "third", 3));
  context.spawn(get(context, "even", 2));
  simulation.run();
  dying.suspend();
  context.spawn(put_all(context, store, {4}));
  simulation.run();
  EXPECT_TRUE(diary.empty());
  dying.cancel();
  simulation.run();
  EXPECT_EQ(diary, std::vector<std::string>{"even 4"});
}

TEST(FilterStore, SelectKnowsWhetherItHasWhatOneWants) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  FilterStore<int> store;
  Channel<int> channel;
  std::vector<std::string> diary;
  context.spawn([](Context& self, FilterStore<int>& from, Channel<int>& other,
                   std::vector<std::string>& to) -> Task<> {
    co_await from.put(3);
    for (const int wanted : {3, 4, 4}) {
      const auto one =
          co_await select(other.receive(), from.get([wanted](int v) { return v == wanted; }));
      const auto* value = std::get_if<1>(&one);
      to.push_back(value != nullptr ? "store " + std::to_string(*value) : "channel");
      if (to.size() == 1) other.try_send(7);
      if (to.size() == 2) self.spawn(put_all(self, from, {4}));
    }
  }(context, store, channel, diary));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, (std::vector<std::string>{"store 3", "channel", "store 4"}));
}

TEST(FilterStore, HoldsWhatCanOnlyBeMovedAndMayEndBeforeItsValueIsTaken) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  using Store = FilterStore<std::unique_ptr<int>>;
  auto store = std::make_unique<Store>();
  int taken = 0;
  const Process<> late = context.spawn([](Context&, Store& from, int& to) -> Task<> {
    to = *co_await from.get();
  }(context, *store, taken));
  simulation.run();
  late.suspend();
  context.spawn([](Context&, Store& into) -> Task<> {
    co_await into.put(std::make_unique<int>(42));
  }(context, *store));
  simulation.run();
  store.reset();
  late.resume();
  simulation.run();
  EXPECT_EQ(taken, 42);
}

TEST(FilterStoreDeathTest, RefusesToHoldNothing) {
  EXPECT_DEATH(FilterStore<int>(0), "a store holds one value at least");
}

}  // namespace
}  // namespace artel::sim
