#include "artel/sync/parker.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "artel/core/instant.hpp"
#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"
#include "tests/explore/explorer.hpp"

namespace artel::sync {
namespace {

using explore::Execution;
using explore::ExploredAtomics;
using explore::Report;

TEST(Parker, ATokenGivenBeforeParkingIsNotLost) {
  Parker parker;
  parker.unpark();
  EXPECT_TRUE(parker.park());
  EXPECT_FALSE(parker.park(Duration{1000}));
}

TEST(Parker, WakesTheThreadThatParks) {
  Parker parker;
  std::thread sleeper([&parker] { EXPECT_TRUE(parker.park()); });
  parker.unpark();
  sleeper.join();
}

TEST(Parker, EveryTokenEndsOneParkingInAllOrders) {
  const Report report =
      explore::explore({.preemptions = 3, .surprises = 1, .spurious = 2}, [](Execution& run) {
        BasicParker<ExploredAtomics> parker;
        BasicParker<ExploredAtomics> back;
        int parked = 0;
        run.thread("worker", [&] {
          for (; parked < 2; ++parked) {
            run.require(parker.park(), "woken without a token");
            back.unpark();
          }
        });
        run.thread("submitter", [&] {
          parker.unpark();
          back.park();
          parker.unpark();
        });
        run.go();
        run.require(run.asleep() == 0, "a lost wake-up");
        run.require(!parker.park(Duration::zero()), "a token is left over");
      });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(Parker, ATokenThatComesAfterTheTimeoutIsThereNextTime) {
  const Report report = explore::explore({.preemptions = 3}, [](Execution& run) {
    BasicParker<ExploredAtomics> parker;
    run.thread("worker", [&] {
      if (!parker.park(std::chrono::seconds(1))) parker.park();
    });
    run.thread("submitter", [&] { parker.unpark(); });
    run.go();
    run.require(run.asleep() == 0, "a lost wake-up");
  });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(Parker, WhatWasWrittenBeforeATokenIsSeenAfterIt) {
  const Report report = explore::explore({.preemptions = 3, .surprises = 1}, [](Execution& run) {
    BasicParker<ExploredAtomics> parker;
    ExploredAtomics::Plain<int> message = 0;
    run.thread("worker", [&] {
      parker.park();
      run.require(message == 1, "an old message");
    });
    run.thread("submitter", [&] {
      message = 1;
      parker.unpark();
    });
    run.go();
  });
  EXPECT_TRUE(report.sound()) << report;
}

}  // namespace
}  // namespace artel::sync
