#include "artel/sync/event_count.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"
#include "tests/explore/explorer.hpp"

namespace artel::sync {
namespace {

using explore::Execution;
using explore::ExploredAtomics;
using explore::Report;
using Number = ExploredAtomics::Atomic<std::uint32_t>;
using ExploredEventCount = BasicEventCount<ExploredAtomics>;

void raise(Number& number, ExploredEventCount& event) {
  number.fetch_add(1);
  if (event.has_waiters()) event.notify_all();
}

TEST(EventCount, WakesWhoeverWaitsInAllOrders) {
  const Report report =
      explore::explore({.preemptions = 3, .surprises = 1, .spurious = 1}, [](Execution& run) {
        ExploredEventCount event;
        Number number = 0;
        run.thread("waiter", [&] {
          run.require(event.wait(kNever, [&] { return number.load() == 2; }), "woken too early");
        });
        run.thread("first", [&] { raise(number, event); });
        run.thread("second", [&] { raise(number, event); });
        run.go();
        run.require(run.asleep() == 0, "a lost wake-up");
        run.require(!event.has_waiters(), "a waiter that is gone is counted");
      });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(EventCount, WakesAllThatWait) {
  const Report report = explore::explore({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredEventCount event;
    Number number = 0;
    for (const char* name : {"waiter", "another"}) {
      run.thread(name, [&] { event.wait(kNever, [&] { return number.load() == 1; }); });
    }
    run.thread("notifier", [&] { raise(number, event); });
    run.go();
    run.require(run.asleep() == 0, "a lost wake-up");
  });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(EventCount, GivesUpWhenTheTimeIsOver) {
  const Report report = explore::explore({}, [](Execution& run) {
    ExploredEventCount event;
    const Instant until = later(run.now(), std::chrono::seconds(1));
    run.thread("waiter", [&] {
      run.require(!event.wait(until, [] { return false; }), "what never comes has come");
      run.require(run.now() >= until, "it gave up too early");
    });
    run.thread("notifier", [&] {
      if (event.has_waiters()) event.notify_all();
    });
    run.go();
    run.require(run.asleep() == 0, "it waits for ever");
  });
  EXPECT_TRUE(report.sound()) << report;
}

}  // namespace
}  // namespace artel::sync
