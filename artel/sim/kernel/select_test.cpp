#include "artel/sim/kernel/select.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Picks = std::vector<std::size_t>;

/// Which of three channels, all full, a select takes from, 3000 times.
Picks picks_of(Seed seed) {
  Simulation simulation({.seed = seed});
  auto& context = simulation.add_context("main");
  Picks picks;
  const auto run = [&picks](Context&) -> Task<> {
    Channel<int> a;
    Channel<int> b;
    Channel<int> c;
    for (Channel<int>* channel : {&a, &b, &c}) channel->try_send(0);
    for (int i = 0; i < 3000; ++i) {
      const auto got = co_await select(a.receive(), b.receive(), c.receive());
      picks.push_back(got.index());
      (got.index() == 0 ? a : got.index() == 1 ? b : c).try_send(0);
    }
  };
  context.spawn(run(context));
  simulation.run();
  return picks;
}

TEST(Select, DrawsAmongTheReadyFairlyAndBySeed) {
  const Picks picks = picks_of(Seed{5});
  EXPECT_EQ(picks, picks_of(Seed{5}));
  EXPECT_NE(picks, picks_of(Seed{6}));
  std::size_t counts[3] = {};
  for (const std::size_t pick : picks) ++counts[pick];
  for (const std::size_t count : counts) EXPECT_NEAR(static_cast<double>(count), 1000, 110);
  // Equal on every compiler.
  EXPECT_EQ(Picks(picks.begin(), picks.begin() + 12), (Picks{2, 2, 2, 2, 1, 1, 0, 1, 2, 1, 2, 0}));
}

class SelectTest : public testing::Test {
 public:
  void note(const std::string& text) {
    diary.push_back(text + "@" + std::to_string(context.now().time_since_epoch().count()));
  }
  Task<> send_after(Context& self, Duration delay, Channel<int>& to, int value) {
    co_await self.sleep(delay);
    note(co_await to.send(value) ? "sent" : "refused");
  }

  Simulation simulation;
  Context& context = simulation.add_context("main");
  std::vector<std::string> diary;
};

TEST_F(SelectTest, TheFirstToBecomeReadyWinsAndTheOthersAreWithdrawn) {
  Channel<int> a(0);
  Channel<int> b(0);
  const auto run = [&](Context&) -> Task<> {
    for (int i = 0; i < 2; ++i) {
      const auto got = co_await select(a.receive(), b.receive());
      note(std::to_string(got.index()) + ":" +
           std::to_string(got.index() == 0 ? *std::get<0>(got) : *std::get<1>(got)));
    }
  };
  context.spawn(run(context));
  context.spawn(send_after(context, 2ns, a, 1));
  context.spawn(send_after(context, 1ns, b, 2));
  simulation.run();
  EXPECT_EQ(diary, (std::vector<std::string>{"sent@1", "1:2@1", "sent@2", "0:1@2"}));
}

TEST_F(SelectTest, SendsAndReceivesMixAndOnlyOneHappens) {
  Channel<int> out(1);
  Channel<int> in(1);
  in.try_send(7);
  std::size_t sent = 0;
  const auto run = [&](Context&) -> Task<> {
    const auto got = co_await select(out.send(1), in.receive());
    sent = got.index() == 0 ? 1 : 0;
  };
  for (int i = 0; i < 20; ++i) {
    context.spawn(run(context));
    simulation.run();
    EXPECT_EQ(out.size(), sent);
    EXPECT_EQ(in.size(), sent);
    out.try_receive();
    in.try_send(7);
  }
}

TEST_F(SelectTest, AClosedChannelIsReady) {
  Channel<int> open(0);
  Channel<int> closed(0);
  closed.close();
  const auto run = [&](Context&) -> Task<> {
    const auto received = co_await select(open.receive(), closed.receive());
    EXPECT_EQ(received.index(), 1U);
    EXPECT_EQ(std::get<1>(received), std::nullopt);
    const auto sent = co_await select(open.receive(), closed.send(1));
    EXPECT_EQ(sent.index(), 1U);
    EXPECT_FALSE(std::get<1>(sent));
    note("end");
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (std::vector<std::string>{"end@0"}));
}

TEST_F(SelectTest, AProcessDoesNotMeetItselfInAnUnbufferedChannel) {
  Channel<int> channel(0);
  const auto both = [&](Context&, std::string name) -> Task<> {
    const auto got = co_await select(channel.send(1), channel.receive());
    note(name + (got.index() == 0 ? " sent" : " received"));
  };
  context.spawn(both(context, "a"));
  simulation.run_until(Instant{1ns});
  EXPECT_TRUE(diary.empty());
  EXPECT_NE(simulation.waiting_report().find("select of room in a channel or a value"),
            std::string::npos)
      << simulation.waiting_report();
  context.spawn(both(context, "b"));
  simulation.run();
  ASSERT_EQ(diary.size(), 2U);
  EXPECT_NE(diary[0].find("sent") == std::string::npos, diary[1].find("sent") == std::string::npos);
  EXPECT_TRUE(simulation.waiting_report().empty());
  EXPECT_EQ(channel.size(), 0U);
}

TEST_F(SelectTest, ABufferedChannelGivesTheProcessItsOwnValue) {
  Channel<int> channel(1);
  const auto run = [&](Context&) -> Task<> {
    const auto [value, sent] = co_await all_of(channel.receive(), channel.send(3));
    EXPECT_EQ(value, 3);
    EXPECT_TRUE(sent);
    const auto got = co_await any_of(channel.receive(), channel.send(4));
    EXPECT_EQ(got.index(), 1U);
    EXPECT_EQ(channel.size(), 1U);
    note("end");
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (std::vector<std::string>{"end@0"}));
}

TEST_F(SelectTest, TakesLocksFlagsAndProcessesToo) {
  Mutex mutex;
  Flag flag;
  const auto quick = [](Context& self) -> Task<int> {
    co_await self.sleep(3ns);
    co_return 5;
  };
  const auto run = [&](Context& self) -> Task<> {
    const Lease held = co_await mutex.lock();
    const Process<int> child = self.spawn(quick(self));
    const auto first = co_await select(mutex.lock(), flag.wait(), child.join());
    EXPECT_EQ(first.index(), 2U);
    note(std::to_string(*std::get<2>(first)));
    flag.set();
    EXPECT_EQ((co_await select(mutex.lock(), flag.wait())).index(), 1U);
    EXPECT_TRUE(mutex.locked());
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_FALSE(mutex.locked());
  EXPECT_EQ(diary, (std::vector<std::string>{"5@3"}));
}

TEST_F(SelectTest, AListOfAnyLengthWorks) {
  std::vector<Channel<int>> channels(50);
  channels[20].try_send(1);
  channels[40].try_send(2);
  const auto run = [&](Context&) -> Task<> {
    for (int i = 0; i < 2; ++i) {
      std::vector<Receive<int>> receives;
      receives.reserve(channels.size());
      for (Channel<int>& channel : channels) receives.push_back(channel.receive());
      const auto got = co_await select(std::move(receives));
      EXPECT_EQ(got.value, got.index == 20 ? 1 : 2);
      note("got");
    }
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary.size(), 2U);
  for (const Channel<int>& channel : channels) EXPECT_EQ(channel.size(), 0U);
}

}  // namespace
}  // namespace artel::sim
