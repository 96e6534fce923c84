
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim::detail {
namespace {

using namespace std::chrono_literals;

Task<> nap(Context& self, Duration time) { co_await self.sleep(time); }
Task<> fails(Context& self) {
  co_await self.sleep(1ns);
  throw std::runtime_error("no luck");
}
Task<> tries(Context& self) {
  self.log(LogLevel::info, "trying");
  try {
    co_await self.spawn(fails(self)).join();
  } catch (const std::runtime_error&) {
    self.log(LogLevel::info, "caught");
  }
}

/// The log without its source lines: "process_watch_test.cpp:42" becomes "L".
std::string without_lines(std::string text) {
  const std::string file = "process_watch_test.cpp:";
  for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file)) {
    const std::size_t end = text.find_first_not_of("0123456789", at + file.size());
    text.replace(at, end - at, "L");
  }
  return text;
}

struct ProcessWatchTest : ::testing::Test {
  ProcessWatchTest() { simulation.log_to(log); }

  std::ostringstream out;
  TextLog log{out};
  Simulation simulation;
  Context& a = simulation.add_context("a");
  Context& b = simulation.add_context("b");
};

TEST_F(ProcessWatchTest, TheLogTellsALife) {
  simulation.set_log_level(LogLevel::process);
  a.spawn(tries(a));
  simulation.run();
  EXPECT_EQ(
      without_lines(out.str()),
      "[0.000000000] process a, process 1 (L): spawned\n"
      "[0.000000000] process a, process 1 (L): starts\n"
      "[0.000000000] info    a: trying\n"
      "[0.000000000] process a, process 2 (L): spawned\n"
      "[0.000000000] process a, process 1 (L): waits for the end of the process that a spawned "
      "at L, L\n"
      "[0.000000000] process a, process 2 (L): starts\n"
      "[0.000000000] process a, process 2 (L): waits for a sleep of 1.00 ns, L\n"
      "[0.000000001] process a, process 2 (L): resumes\n"
      "[0.000000001] process a, process 2 (L): failed: no luck\n"
      "[0.000000001] process a, process 1 (L): resumes\n"
      "[0.000000001] info    a: caught\n"
      "[0.000000001] process a, process 1 (L): finished\n");
}

TEST_F(ProcessWatchTest, TheLogTellsOfCancelling) {
  simulation.set_log_level(LogLevel::process);
  const Process<> process = a.spawn(nap(a, 1s));
  simulation.run_until(Instant{5ns});
  process.cancel();
  EXPECT_NE(out.str().find("cancelled\n"), std::string::npos);
  EXPECT_EQ(out.str().find("[1."), std::string::npos);
}

TEST_F(ProcessWatchTest, OnlyOfComponentsThatAreAskedFor) {
  simulation.set_log_level(b.id(), LogLevel::process);
  a.spawn(nap(a, 1ns));
  simulation.run();
  EXPECT_EQ(out.str(), "");
  b.spawn(nap(b, 1ns));
  simulation.run();
  EXPECT_NE(out.str().find("process b, process 2 ("), std::string::npos) << out.str();
}

TEST_F(ProcessWatchTest, DebugDoesNotTellOfProcesses) {
  simulation.set_log_level(LogLevel::debug);
  a.spawn(nap(a, 1ns));
  simulation.run();
  EXPECT_EQ(out.str(), "");
}

TEST_F(ProcessWatchTest, CanBeTurnedOnInTheMiddle) {
  const Process<> process = a.spawn(nap(a, 1s));
  simulation.run_until(Instant{1ns});
  simulation.set_log_level(LogLevel::process);
  simulation.run();
  EXPECT_EQ(without_lines(out.str()),
            "[1.000000000] process a, process 1 (L): resumes\n"
            "[1.000000000] process a, process 1 (L): finished\n");
}

TEST_F(ProcessWatchTest, JsonNamesTheProcess) {
  std::ostringstream json;
  JsonLog sink(json);
  simulation.log_to(sink);
  simulation.set_log_level(LogLevel::process);
  a.spawn(nap(a, 1ns));
  const std::string text = without_lines(json.str());
  EXPECT_EQ(text, R"-({"time_ns":0,"level":"process","component":"a","process":"process 1 (L)",)-"
                  R"-("text":"spawned"})-"
                  "\n");
}

TEST_F(ProcessWatchTest, TheEndOfTheSimulationIsNoNews) {
  {
    Simulation other;
    other.log_to(log);
    other.set_log_level(LogLevel::process);
    Context& self = other.add_context("self");
    self.spawn(nap(self, 1s));
  }
  EXPECT_EQ(out.str().find("cancelled"), std::string::npos);
}

// --- Who waits.

Task<> receives(Context& /*self*/, Channel<int>& channel) { (void)co_await channel.receive(); }

TEST_F(ProcessWatchTest, TheReportNamesOldestFirstAndBothLines) {
  Channel<int> channel;
  a.spawn(receives(a, channel));
  b.spawn(nap(b, 3s));
  a.spawn(nap(a, 2s));
  simulation.run_until(Instant{1s});
  EXPECT_EQ(without_lines(simulation.waiting_report()),
            "3 processes still wait:\n"
            "  a: a value from a channel, since 0.000000000 s, L (spawned at L)\n"
            "  a: a sleep of 2.00 s, since 0.000000000 s, L (spawned at L)\n"
            "  b: a sleep of 3.00 s, since 0.000000000 s, L (spawned at L)");
  EXPECT_EQ(without_lines(simulation.waiting_report(1)),
            "3 processes still wait:\n"
            "  a: a value from a channel, since 0.000000000 s, L (spawned at L)\n"
            "  and 2 more");
}

TEST_F(ProcessWatchTest, TheReportCanBeAskedForByAProcess) {
  std::string report;
  const auto asks = [&](Context& self) -> Task<> {
    co_await self.sleep(1ns);
    report = simulation.waiting_report();
  };
  a.spawn(asks(a));
  b.spawn(nap(b, 1s));
  simulation.run_until(Instant{2ns});
  EXPECT_EQ(without_lines(report),
            "1 process still waits:\n"
            "  b: a sleep of 1.00 s, since 0.000000000 s, L (spawned at L)");
}

}  // namespace
}  // namespace artel::sim::detail
