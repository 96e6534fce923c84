// What a crash has cancelled does not stay for long, nor does it cost anything afterwards.

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Tick {};
struct Held {
  std::shared_ptr<int> payload;
};
struct Holder : Component<Held, Tick> {
  void on(const Held&) {}
  void on(const Tick&) {}
};

TEST(CutEvents, AreGivenBackWhenAsManyOthersHaveBeenCreated) {
  constexpr int kMany = 1000;
  Simulation simulation;
  Context& context = simulation.add_context("main");
  const ComponentId holder = simulation.add<Holder>("holder").id();
  const auto payload = std::make_shared<int>(1);
  for (int i = 0; i < kMany; ++i) context.emit(Held{payload}, holder, 1h);
  simulation.crash(holder, Pending::cancel_incoming);
  simulation.restart<Holder>(holder);
  EXPECT_EQ(payload.use_count(), kMany + 1);
  for (int i = 0; i < kMany + 2; ++i) {
    context.emit(Tick{}, holder, 1ms);
    simulation.step();
  }
  EXPECT_EQ(payload.use_count(), 1);
  EXPECT_EQ(simulation.pending_count(), 0U);
  context.emit(Held{payload}, holder, 1h);  // what is emitted since then stays
  simulation.step();
  EXPECT_EQ(simulation.event_count(), std::size_t{kMany} + 3);
}

// A crash is not paid for by those that come later: each sweeps at most once for all.
TEST(CutEvents, DoNotPileUpFromCrashToCrash) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  const ComponentId holder = simulation.add<Holder>("holder").id();
  const auto payload = std::make_shared<int>(1);
  for (int crash = 0; crash < 1000; ++crash) {
    for (int i = 0; i < 100; ++i) context.emit(Held{payload}, holder, 1h);
    simulation.crash(holder, Pending::cancel_incoming);
    simulation.restart<Holder>(holder);
    ASSERT_LE(simulation.pending_count(), 300U);
  }
}

/// One whose destructor crashes another component and cancels an event.
struct Spiteful {
  struct Deed {
    Simulation* simulation;
    ComponentId victim;
    Context* context;
    EventId event;
    ~Deed() {
      simulation->crash(victim, Pending::cancel_both);
      context->cancel(event);
    }
  };
  std::unique_ptr<Deed> deed;
};
struct Victim : Component<Spiteful, Held> {
  void on(const Spiteful&) {}
  void on(const Held&) {}
};

TEST(CutEvents, DestructorsOfTheirPayloadsMayCrashOthers) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  const ComponentId first = simulation.add<Victim>("first").id();
  const ComponentId second = simulation.add<Victim>("second").id();
  const auto payload = std::make_shared<int>(1);
  std::vector<EventId> held;
  for (int i = 0; i < 10; ++i) held.push_back(context.emit(Held{payload}, first, 2h));
  for (const EventId event : held) {
    context.emit(Spiteful{std::make_unique<Spiteful::Deed>(&simulation, second, &context, event)},
                 first, 1h);
  }
  for (int i = 0; i < 10; ++i) context.emit(Held{payload}, second, 1h);
  simulation.crash(first, Pending::cancel_incoming);
  for (int i = 0; i < 300; ++i) {
    context.emit_self(Tick{}, 1ms);
    simulation.step();
  }
  EXPECT_EQ(payload.use_count(), 1);
  EXPECT_FALSE(simulation.exists(second));
}

// Whoever waits in the name of a component that goes: each is told, those who waited longest first.
TEST(CutEvents, ThoseWhoWaitInTheNameOfOneThatGoesAreTold) {
  constexpr int kMany = 2000;
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Context& gone = simulation.add_context("gone");
  Context& stays = simulation.add_context("stays");
  std::vector<int> told;
  const auto wait = [&](Context& self, Context& name, int number) -> Task<> {
    co_await self.sleep(Duration{(number * 7919) % kMany});
    try {
      (void)co_await name.next<Tick>();
    } catch (const ComponentGone&) {
      told.push_back((number * 7919) % kMany);
    }
  };
  for (int i = 0; i < kMany; ++i) context.spawn(wait(context, i % 2 == 0 ? gone : stays, i));
  simulation.run();
  simulation.remove(gone.id());
  simulation.run();
  ASSERT_EQ(told.size(), std::size_t{kMany} / 2);
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], static_cast<int>(2 * i));
}

}  // namespace
}  // namespace artel::sim
