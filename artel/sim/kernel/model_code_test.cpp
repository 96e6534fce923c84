// Code of the model's that the kernel runs in the middle of something: destructors, moves,
// predicates. One case for each such place; tests/scheduler/guards_test.cpp draws programs with all
// of them.

#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/filter_store.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/one_shot.hpp"
#include "artel/sim/kernel/preemptive_resource.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/scope.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Act = std::function<void()>;

/// Does something when it ends.
struct AtEnd {
  explicit AtEnd(Act of) : act(std::move(of)) {}
  AtEnd(const AtEnd&) = default;
  AtEnd(AtEnd&& other) noexcept : act(std::exchange(other.act, nullptr)) {}
  AtEnd& operator=(AtEnd&&) = delete;
  ~AtEnd() {
    if (act) act();
  }
  Act act;
};
/// Does something when it is moved for the n-th time.
struct AtMove {
  AtMove(int n, Act of) : left(n), act(std::move(of)) {}
  // NOLINTNEXTLINE(performance-noexcept-move-constructor): it may throw
  AtMove(AtMove&& other) : left(other.left - 1), act(std::move(other.act)) {
    if (left == 0) act();
  }
  // NOLINTNEXTLINE(performance-noexcept-move-constructor): likewise
  AtMove& operator=(AtMove&& other) {
    left = other.left - 1;
    act = std::move(other.act);
    return *this;
  }
  int left;
  Act act;
};
struct Tick {};

Task<> nap(Context& context, Duration time, AtEnd) { co_await context.sleep(time); }

struct ModelCode : testing::Test {
  Simulation simulation;
  Context& context = simulation.add_context("main");
};

TEST_F(ModelCode, TheLoserOfAnAnyOfMayCrashTheComponentThatWaits) {
  bool went_on = false;
  context.spawn([](Context& self, Simulation& in, bool& to) -> Task<> {
    const ComponentId id = self.id();
    co_await any_of(self.sleep(1s), nap(self, 1h, AtEnd([&in, id] { in.crash(id); })));
    to = true;
  }(context, simulation, went_on));
  simulation.run();
  EXPECT_FALSE(went_on);
  EXPECT_FALSE(simulation.exists(ComponentId{0}));
}

TEST_F(ModelCode, ATaskThatTimesOutMayEndTheProcessThatWaits) {
  Process<> victim;
  victim = context.spawn([](Context& self, Process<>& process) -> Task<> {
    co_await with_timeout(nap(self, 1h, AtEnd([&process] {
                                process.cancel();
                                process = {};
                              })),
                          1s);
    ADD_FAILURE() << "went on";
  }(context, victim));
  simulation.run();
}

// The first of two tasks that end with their parent sends to the second, whose own task ends then.
TEST_F(ModelCode, ATaskThatIsAboutToEndMayGetWhatItWaitsFor) {
  std::ostringstream text;
  TextLog log(text);
  simulation.log_to(log);
  simulation.set_log_level(LogLevel::process);
  Channel<int> channel;
  int ended = 0;
  const auto second = [](Context& self, Channel<int>& from, int& count) -> Task<> {
    co_await any_of(from.receive(), nap(self, 1h, AtEnd([&count] { ++count; })));
  };
  const Process<> parent =
      context.spawn([](Context& self, auto& other, Channel<int>& to, int& count) -> Task<> {
        co_await any_of(nap(self, 1h, AtEnd([&to] { to.try_send(1); })), other(self, to, count));
      }(context, second, channel, ended));
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(parent.cancel());
  EXPECT_EQ(ended, 1);
  simulation.run();
  const std::string said = text.str();
  std::size_t cancelled = 0;
  for (std::size_t at = 0; (at = said.find(": cancelled", at)) != said.npos; ++at) ++cancelled;
  EXPECT_EQ(cancelled, 4U) << said;  // each process once
}

TEST_F(ModelCode, AFailureThatOnePartOfAnAllOfBringsToAnotherArrivesOnce) {
  OneShot<> answer;
  Channel<int> channel(0);
  context.spawn([](Context& self, Channel<int>& from, OneShot<>& to) -> Task<> {
    co_await any_of(
        from.receive(),
        nap(self, 1h, AtEnd([&to] { to.fail(std::make_exception_ptr(std::runtime_error("x"))); })));
  }(context, channel, answer));
  Instant at{};
  context.spawn([](Context& self, Channel<int>& to, OneShot<>& from, Instant& woken) -> Task<> {
    co_await self.sleep(1s);
    try {
      co_await all_of(from.wait(), to.send(1), self.sleep(1h));
      ADD_FAILURE() << "did not fail";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "x");
    }
    co_await self.sleep(1s);  // not cut short by a second wake-up
    woken = self.now();
  }(context, channel, answer, at));
  simulation.run();
  EXPECT_EQ(at, Instant{2s});
}

TEST_F(ModelCode, TheMoveOfAValueMayEndItsReceiver) {
  Channel<AtMove> channel;
  Process<> receiver = context.spawn([](Context& self, Channel<AtMove>& from) -> Task<> {
    co_await any_of(from.receive(), self.sleep(1h));
    ADD_FAILURE() << "went on";
  }(context, channel));
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(channel.try_send(AtMove(1, [&receiver] {
    receiver.cancel();
    receiver = {};
  })));
  simulation.run();
}

TEST_F(ModelCode, TheMoveOfAValueIntoAChannelMayUseTheChannel) {
  Channel<AtMove> channel(2);
  std::vector<bool> sent;
  EXPECT_TRUE(channel.try_send(AtMove(1, [&] {
    sent.push_back(channel.try_send(AtMove(9, {})));
    sent.push_back(channel.try_send(AtMove(9, {})));  // full, with the one that is on its way
  })));
  EXPECT_EQ(sent, (std::vector<bool>{true, false}));
  EXPECT_EQ(channel.size(), 2U);
  EXPECT_TRUE(channel.try_receive().has_value());
  EXPECT_TRUE(channel.try_receive().has_value());
}

TEST_F(ModelCode, TheMoveOfAResultMayNotCancelTheProcessThatHasEnded) {
  Process<AtMove> process;
  bool cancelled = true;
  process = context.spawn([](Context&, Process<AtMove>& of, bool& to) -> Task<AtMove> {
    co_return AtMove(2, [&] { to = of.cancel(); });
  }(context, process, cancelled));
  simulation.run();
  EXPECT_FALSE(cancelled);
  EXPECT_EQ(process.status(), ProcessStatus::done);
}

TEST_F(ModelCode, AResultWhoseMoveThrowsIsAFailureOfItsProcess) {
  const Process<AtMove> process = context.spawn([](Context&) -> Task<AtMove> {
    co_return AtMove(2, [] { throw std::runtime_error("moved"); });
  }(context));
  EXPECT_THROW(simulation.run(), ProcessFailure);
  EXPECT_EQ(process.status(), ProcessStatus::failed);
}

TEST_F(ModelCode, APredicateMayEndTheProcessForWhichItIsAsked) {
  std::vector<Process<>> waiting(3);
  int asked = 0;
  for (Process<>& each : waiting) {
    each = context.spawn([](Context& self, std::vector<Process<>>& all, int& count) -> Task<> {
      co_await any_of(self.next<Tick>().matching([&](const Tick&) {
        ++count;
        for (Process<>& process : all) std::exchange(process, {}).cancel();
        return true;
      }),
                      self.sleep(1h));
      ADD_FAILURE() << "went on";
    }(context, waiting, asked));
  }
  context.emit_self(Tick{}, 1s);
  simulation.run();
  EXPECT_EQ(asked, 1);
}

TEST_F(ModelCode, APredicateOfAStoreMayEndWhoeverWaitsThere) {
  FilterStore<int> store;
  std::vector<Process<>> waiting(3);
  for (Process<>& each : waiting) {
    each = context.spawn([](FilterStore<int>& from, std::vector<Process<>>& all) -> Task<> {
      co_await from.get([&](int) {
        for (Process<>& process : all) std::exchange(process, {}).cancel();
        return true;
      });
      ADD_FAILURE() << "went on";
    }(store, waiting));
  }
  context.spawn([](Context& self, FilterStore<int>& to) -> Task<> {
    co_await self.sleep(1s);
    co_await to.put(1);
  }(context, store));
  simulation.run();
  EXPECT_EQ(store.size(), 1U);
}

TEST_F(ModelCode, AProcessThatWaitsInTheNameOfWhatHasJustLeftLearnsOfIt) {
  Context& other = simulation.add_context("other");
  bool learned = false;
  context.spawn([](Simulation& in, Context& of, bool& to) -> Task<> {
    in.remove(of.id());
    try {
      co_await of.next<Tick>();
    } catch (const ComponentGone&) {
      to = true;
    }
  }(simulation, other, learned));
  simulation.run();
  EXPECT_TRUE(learned);
}

TEST_F(ModelCode, APreemptedUnitHasItsNewHolderBeforeTheLoserLetsGoOfAnything) {
  PreemptiveResource machine(1);
  std::vector<std::size_t> in_use;
  context.spawn(
      [](Context& self, PreemptiveResource& from, std::vector<std::size_t>& to) -> Task<> {
        const Seat seat = co_await from.acquire(5);
        try {
          co_await with_timeout(nap(self, 1h, AtEnd([&] { to.push_back(from.in_use()); })), 1h);
        } catch (const Interrupted&) {  // NOLINT(bugprone-empty-catch): it has lost its seat
        }
      }(context, machine, in_use));
  context.spawn([](Context& self, PreemptiveResource& from) -> Task<> {
    co_await self.sleep(1s);
    const Seat seat = co_await from.acquire(1);
  }(context, machine));
  simulation.run();
  EXPECT_EQ(in_use, std::vector<std::size_t>{1});
}

TEST_F(ModelCode, ASinkMayCancelTheProcessOfWhichItIsTold) {
  struct Sink final : LogSink {
    void write(const LogRecord& record) override {
      if (!word.empty() && record.text.starts_with(word)) {
        word.clear();
        std::exchange(process, {}).cancel();
      }
    }
    std::string word;
    Process<> process;
  };
  for (const char* word : {"starts", "waits", "resumes"}) {
    Sink sink;
    sink.word = word;
    Simulation logged;
    Context& self = logged.add_context("main");
    logged.log_to(sink);
    logged.set_log_level(LogLevel::process);
    sink.process = self.spawn(nap(self, 1s, AtEnd(nullptr)));
    const Process<> same = sink.process;
    logged.run();
    sink.process = {};
    EXPECT_TRUE(same.done()) << word;
  }
}

TEST_F(ModelCode, ASinkMayNotCancelTheEventOfWhichItIsTold) {
  struct Sink final : LogSink {
    void write(const LogRecord& record) override {
      if (record.level == LogLevel::event) cancelled = context->cancel(id);
    }
    Context* context = nullptr;
    EventId id;
    bool cancelled = true;
  };
  Sink sink;
  sink.context = &context;
  simulation.log_to(sink);
  simulation.set_log_level(LogLevel::event);
  sink.id = context.emit_self(AtEnd(nullptr), 1s);
  simulation.run();
  EXPECT_FALSE(sink.cancelled);
  EXPECT_EQ(simulation.event_count(), 1U);
}

TEST_F(ModelCode, TheConditionOfCancelIfMayEmitAndCancel) {
  const EventId first = context.emit_self(AtEnd(nullptr), 1s);
  for (int i = 0; i < 500; ++i) context.emit_self(Tick{}, 2s);
  std::size_t asked = 0;
  const std::size_t count = simulation.cancel_if([&](const Event& event) {
    context.cancel(first);
    context.emit_self(Tick{}, 3s);
    ++asked;
    return event.time() == Instant{2s};
  });
  EXPECT_EQ(count, 500U);
  EXPECT_GE(asked, 500U);
}

TEST_F(ModelCode, AResultThatEndsWithItsHandleMaySpawnIntoTheScopeThatForgetsIt) {
  int spawned = 0;
  Scope scope(context);
  const auto child = [](Context& self, Scope& in, int& count) -> Task<AtEnd> {
    co_return AtEnd([&] {
      if (++count < 50) in.spawn(nap(self, 1s, AtEnd(nullptr)));
    });
  };
  for (int i = 0; i < 20; ++i) {
    scope.spawn(child(context, scope, spawned));
    simulation.run();
  }
  EXPECT_GT(spawned, 0);
}

TEST(ModelCodeAtTheEnd, PayloadsMayEmitAndCancelWhileTheSimulationEnds) {
  int ended = 0;
  std::vector<EventId> ids;
  {
    Simulation simulation;
    Context& context = simulation.add_context("main");
    for (int i = 0; i < 500; ++i) {
      ids.push_back(context.emit_self(AtEnd([&] {
                                        ++ended;
                                        if (ended == 1) {
                                          for (const EventId id : ids) context.cancel(id);
                                          context.emit_self(AtEnd([&ended] { ++ended; }), 1s);
                                        }
                                      }),
                                      1s));
    }
  }
  EXPECT_EQ(ended, 501);
}

TEST(ModelCodeAtTheEnd, AComponentMayBringBackAnotherThatHasEnded) {
  struct Phoenix : Component<> {
    Phoenix(Simulation& in, int& to) : simulation(&in), ended(&to) {}
    ~Phoenix() {
      if (++*ended == 2) simulation->restart<Phoenix>(ComponentId{0}, *simulation, *ended);
    }
    Simulation* simulation;
    int* ended;
  };
  int ended = 0;
  {
    Simulation simulation;
    simulation.add<Phoenix>("first", simulation, ended);
    simulation.add<Phoenix>("second", simulation, ended);
  }
  EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace artel::sim
