#include "artel/pool/detail/future_state.hpp"

#include <gtest/gtest.h>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/outcomes.hpp"
#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"
#include "tests/explore/explorer.hpp"

namespace artel::pool::detail {
namespace {

using explore::Execution;
using explore::ExploredAtomics;
using explore::Report;
using State = BasicFutureState<ExploredAtomics>;
using Value = ExploredAtomics::Plain<int>;

constexpr explore::Bounds kBounds{.preemptions = 3, .surprises = 1, .spurious = 1};

struct Nobody final : Continuation {
  Continuation* ready() override { return nullptr; }
};

TEST(FutureState, WhoSleepsIsWokenAndSeesTheResult) {
  const Report report = explore::explore(kBounds, [](Execution& run) {
    State state;
    Value value = 0;
    state.enqueue();
    run.thread("worker", [&] {
      run.require(state.claim(), "nobody else claims it");
      value = 7;
      run.require(state.make_ready() == nullptr, "there is nobody to call");
    });
    for (const char* name : {"waiter", "another"}) {
      run.thread(name, [&] {
        run.require(state.sleep(kNever), "woken too early");
        run.require(value == 7, "the result is not there");
      });
    }
    run.go();
    run.require(run.asleep() == 0, "a lost wake-up");
  });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(FutureState, TheContinuationIsCalledByOneOfTwo) {
  const Report report = explore::explore(kBounds, [](Execution& run) {
    State state;
    Nobody continuation;
    Value value = 0;
    int calls = 0;
    const auto call = [&] {
      run.require(value == 7, "called before the result is there");
      ++calls;
    };
    run.thread("promise", [&] {
      value = 7;
      if (Continuation* const next = state.make_ready()) {
        run.require(next == &continuation, "somebody else is called");
        call();
      }
    });
    run.thread("owner", [&] {
      if (!state.attach(continuation)) call();
    });
    run.go();
    run.require(calls == 1, "called by both or by nobody");
  });
  EXPECT_TRUE(report.sound()) << report;
}

// A worker, whoever ends the task early, and whoever arms that, all at once.
TEST(FutureState, ATaskIsClaimedOnceAndItsEarlyEndDisarmedOnce) {
  const Report report = explore::explore(kBounds, [](Execution& run) {
    State state;
    int place = 0;
    auto& early_end = reinterpret_cast<EarlyEnd&>(place);  // NOLINT: only its address matters
    int claims = 0, disarms = 0;
    const auto disarm = [&] {
      if (state.take_early_end() != nullptr) ++disarms;
    };
    state.enqueue();
    run.thread("submitter", [&] {
      if (!state.keep(early_end)) disarm();
    });
    run.thread("worker", [&] {
      if (state.claim()) {
        ++claims;
        disarm();
        static_cast<void>(state.make_ready());
        run.require(!state.early(), "taken for one that was ended early");
      } else {
        run.require(state.early() == TaskOutcome::expired, "nobody accounts for it");
        run.require(state.sleep(kNever), "told too early");
      }
    });
    run.thread("timers", [&] {
      if (!state.claim_early(TaskOutcome::expired)) return;
      ++claims;
      disarm();
      static_cast<void>(state.make_ready_early(TaskOutcome::expired));
    });
    run.go();
    run.require(run.asleep() == 0, "a lost wake-up");
    run.require(state.ready() && claims == 1, "claimed by both or by nobody");
    run.require(disarms == 1, "left armed, or disarmed twice");
  });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(FutureState, WhatNobodyElseKnowsOfIsClaimedOnce) {
  FutureState state;
  EXPECT_FALSE(state.claim_unshared());
  state.enqueue();
  EXPECT_TRUE(state.queued());
  EXPECT_TRUE(state.claim_unshared());
  EXPECT_FALSE(state.queued());
  EXPECT_FALSE(state.claim_unshared());
  EXPECT_FALSE(state.claim());
  EXPECT_EQ(state.make_ready(), nullptr);
  EXPECT_TRUE(state.ready());
}

TEST(FutureState, WhatIsPutBackWaitsAgain) {
  FutureState state;
  state.enqueue();
  EXPECT_TRUE(state.claim());
  EXPECT_FALSE(state.claim_early(TaskOutcome::cancelled));
  state.unclaim();
  EXPECT_FALSE(state.ready());
  EXPECT_TRUE(state.claim_early(TaskOutcome::cancelled));
  EXPECT_FALSE(state.claim());
  EXPECT_EQ(state.early(), TaskOutcome::cancelled);
}

}  // namespace
}  // namespace artel::pool::detail
