// What is said to cost O(1), or O(log n): counted in instructions, of which there are as many on a
// busy machine as on an idle one.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/filter_store.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/preemptive_resource.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "tests/sanitized.hpp"
#include "tests/sim/count_instructions.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Number {
  std::uint64_t value;
};
std::uint64_t key_of(const Number& number) { return number.value; }
struct Taker : Component<Number> {
  void on(const Number&) {}
};

/// A model of some size.
struct Model {
  explicit Model(SimulationOptions options = {}) : simulation(options) {}

  Simulation simulation;
  Context& context = simulation.add_context("main");
  Taker& taker = simulation.add<Taker>("taker");
  std::vector<EventId> events;
  Resource resource{1};
  PriorityStore<std::uint64_t> store;
  std::unique_ptr<PreemptiveResource> machine;
};

constexpr std::size_t kFew = 16;
constexpr std::size_t kMany = 8192;

/// Whether `act` takes about the same number of instructions for a large model as for a small one:
/// one instruction for each of its parts would be three times as many.
template <class Make, class Act>
void expect_flat(const Make& make, const Act& act) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer adds its own instructions";
  const auto few = count_instructions([&] { return make(kFew); }, act);
  const auto many = count_instructions([&] { return make(kMany); }, act);
  if (!few || !many) GTEST_SKIP() << "no process may be traced here";
  EXPECT_LT(*many, 3 * *few + 2000) << "few: " << *few;
}

auto model() { return std::make_unique<Model>(); }

TEST(FlatCosts, AStepAmongManyComponents) {
  const auto make = [](std::size_t size) {
    auto made = model();
    for (std::size_t i = 0; i < size; ++i) {
      auto& taker = made->simulation.add<Taker>("taker " + std::to_string(i));
      taker.emit_self(Number{i}, Duration{1000 + static_cast<Duration::rep>(i)});
    }
    made->simulation.steps(8);
    return made;
  };
  expect_flat(make, [](Model& of) {
    of.simulation.step();
    of.simulation.run_for(Duration{1});
    of.simulation.run_while([&] { return of.simulation.event_count() < 11; });
  });
}

TEST(FlatCosts, CancellingOneOfManyEvents) {
  const auto make = [](std::size_t size) {
    auto made = model();
    for (std::size_t i = 0; i < size; ++i) {
      made->events.push_back(made->taker.emit_self(Number{i}, 1s));
    }
    return made;
  };
  expect_flat(make, [](Model& of) {
    for (const std::size_t i : {3U, 7U, 1U}) of.context.cancel(of.events[i]);
  });
}

TEST(FlatCosts, ACrashWithManyEventsOnTheirWay) {
  const auto make = [](std::size_t size) {
    auto made = model();
    for (std::size_t i = 0; i < size; ++i) made->context.emit(Number{i}, made->taker.id(), 1s);
    return made;
  };
  expect_flat(make, [](Model& of) {
    const ComponentId taker = of.taker.id();
    of.simulation.crash(taker, Pending::cancel_both);
    of.simulation.restart<Taker>(taker);
  });
}

TEST(FlatCosts, AResourceForWhichManyWait) {
  const auto make = [](std::size_t size) {
    auto made = model();
    const auto use = [](Context& self, Resource& resource) -> Task<> {
      const Lease lease = co_await resource.acquire();
      co_await self.sleep(1s);
    };
    for (std::size_t i = 0; i < size; ++i) made->context.spawn(use(made->context, made->resource));
    made->simulation.run_until(Instant{1500ms});
    return made;
  };
  expect_flat(make, [](Model& of) { of.simulation.run_for(2s); });
}

TEST(FlatCosts, DrawingOneOfManyEventsOfEqualTimes) {
  const auto make = [](std::size_t size) {
    auto made = std::make_unique<Model>(SimulationOptions{.tie_shuffle = Seed{1}});
    for (std::size_t i = 0; i < size; ++i) {
      made->events.push_back(made->taker.emit_self(Number{i}, 1s));
    }
    made->simulation.step();
    return made;
  };
  expect_flat(make, [](Model& of) {
    of.context.cancel(of.events[5]);
    of.simulation.steps(4);
  });
}

TEST(FlatCosts, PuttingIntoAPriorityStoreOfMany) {
  const auto make = [](std::size_t size) {
    auto made = model();
    const auto put = [](Context& self, PriorityStore<std::uint64_t>& store,
                        std::size_t count) -> Task<> {
      for (std::uint64_t i = 0; i < count; ++i) co_await store.put(1000 + i);
      co_await self.sleep(1s);
      co_await store.put(1);  // before all
    };
    made->context.spawn(put(made->context, made->store, size));
    made->simulation.run_until(Instant{500ms});
    return made;
  };
  expect_flat(make, [](Model& of) { of.simulation.run(); });
}

TEST(FlatCosts, GivingBackOneOfManySeatsOfOnePriority) {
  const auto make = [](std::size_t size) {
    auto made = model();
    made->machine = std::make_unique<PreemptiveResource>(size);
    const auto sit = [](Context& self, PreemptiveResource& machine, Duration length) -> Task<> {
      Seat seat = co_await machine.acquire();
      const Seat moved = std::move(seat);
      co_await self.sleep(length);
    };
    for (std::size_t i = 0; i < size; ++i) {  // the last to come is the first to go
      made->context.spawn(sit(made->context, *made->machine, i + 1 == size ? 1s : 1h));
    }
    made->simulation.run_until(Instant{500ms});
    return made;
  };
  expect_flat(make, [](Model& of) { of.simulation.run_until(Instant{2s}); });
}

TEST(FlatCosts, AnEventForOneOfManyKeyedWaits) {
  const auto make = [](std::size_t size) {
    auto made = model();
    const auto wait = [](Context& self, std::uint64_t key) -> Task<> {
      (void)co_await self.next<Number>().key(key);
    };
    for (std::uint64_t i = 0; i < size; ++i) made->context.spawn(wait(made->context, i));
    made->simulation.run();
    return made;
  };
  expect_flat(make, [](Model& of) {
    for (const std::uint64_t key : {11U, 5U}) of.context.emit_self(Number{key});
    of.simulation.run();
  });
}

TEST(FlatCosts, WhatIsNotFlatIsNoticed) {
  const auto make = [](std::size_t size) {
    return std::make_unique<std::vector<std::uint64_t>>(size, 1);
  };
  const auto act = [](const std::vector<std::uint64_t>& numbers) {
    std::uint64_t sum = 0;
    for (const std::uint64_t number : numbers) sum += number;
    volatile std::uint64_t seen = sum;
    (void)seen;
  };
  if (kSanitized) GTEST_SKIP() << "a sanitizer adds its own instructions";
  const auto few = count_instructions([&] { return make(kFew); }, act);
  const auto many = count_instructions([&] { return make(kMany); }, act);
  if (!few || !many) GTEST_SKIP() << "no process may be traced here";
  EXPECT_GT(*many, 3 * *few + 2000);
}

}  // namespace
}  // namespace artel::sim
