#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/dispatcher.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "tests/allocation_count.hpp"

namespace artel::conformance {
namespace {

using dispatch::Dispatcher;
using dispatch::worker;

/// Keeps about two tasks per worker in the system, finishing them in random order.
void churn(Dispatcher<std::uint64_t>& dispatcher, std::size_t workers, Instant& now, int steps) {
  dispatch::Dice dice(dispatch::Draw{.dice = static_cast<std::uint64_t>(steps)});
  for (int i = 0; i < steps; ++i) {
    now += Duration{10};
    const auto placement = dispatcher.arrived(std::uint64_t{0}, now, Duration{dice.below(5000)});
    if (placement.start) (void)dispatcher.start(placement.worker, now);
    for (int tries = 0; tries < 4; ++tries) {
      const auto counts = dispatcher.counts();
      const auto id = worker(dice.below(workers));
      if (counts.held + counts.waiting + counts.running < 2 * workers) break;
      if (!dispatcher.running(id)) continue;
      dispatcher.finished(id, now);
      (void)dispatcher.start(id, now);
    }
  }
}

TEST(DispatcherAllocation, NoneInSteadyState) {
  if (!allocations_counted()) GTEST_SKIP();
  constexpr std::size_t kWorkers = 50;
  for (const auto& entry : dispatch::policy_table()) {
    if (!entry.alone) continue;
    for (const std::uint32_t capacity : {1U, 3U, dispatch::kUnbounded}) {
      for (const bool take_over : {false, true}) {
        Dispatcher<std::uint64_t> dispatcher(
            {.policy = dispatch::make_policy(entry.name).value(), .take_over = take_over});
        ASSERT_TRUE(dispatcher.grow(kWorkers, {.capacity = capacity}));
        Instant now{};
        churn(dispatcher, kWorkers, now, 20'000);
        const std::size_t before = allocation_count();
        ASSERT_GT(before, 0U);  // they are counted
        churn(dispatcher, kWorkers, now, 1000);
        EXPECT_EQ(allocation_count(), before) << entry.name << ", capacity " << capacity;
      }
    }
  }
}

}  // namespace
}  // namespace artel::conformance
