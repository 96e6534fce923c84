#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/worker_table.hpp"
#include "tests/allocation_count.hpp"

namespace artel::conformance {
namespace {

using dispatch::worker;
using dispatch::WorkerTable;

/// Keeps about two tasks per worker bound, ending them in random order.
void churn(WorkerTable& table, std::vector<std::uint32_t>& bound, Instant& now, int steps) {
  constexpr Duration kSize{100};
  dispatch::Dice dice(dispatch::Draw{.dice = static_cast<std::uint64_t>(steps)});
  std::size_t tasks = 0;
  for (const auto each : bound) tasks += each;
  for (int i = 0; i < steps; ++i) {
    now += Duration{10};
    table.advance(now);
    if (table.open()) {
      const auto decided = table.decide(kSize);
      ASSERT_TRUE(decided);
      const auto chosen = decided.value_or(worker(0));
      table.bind(chosen, kSize);
      if (bound[index(chosen)]++ == 0) table.start(chosen, kSize);
      ++tasks;
    }
    for (int tries = 0; tries < 4 && tasks >= 2 * bound.size(); ++tries) {
      const auto id = worker(dice.below(bound.size()));
      if (bound[index(id)] == 0) continue;
      table.answered(id, kSize);
      table.finish(id);
      --tasks;
      if (--bound[index(id)] > 0) table.start(id, kSize);
    }
  }
}

TEST(WorkerTableAllocation, NoneInSteadyState) {
  if (!allocations_counted()) GTEST_SKIP();
  constexpr std::uint32_t kWorkers = 50;
  for (const auto& entry : dispatch::policy_table()) {
    if (!entry.alone) continue;
    for (const std::uint32_t capacity : {1U, 3U, dispatch::kUnbounded}) {
      WorkerTable table(dispatch::make_policy(entry.name).value(), {.max = kWorkers}, 1);
      for (std::uint32_t w = 0; w < kWorkers; ++w)
        ASSERT_TRUE(table.join({.capacity = capacity}, {}));
      std::vector<std::uint32_t> bound(kWorkers);
      Instant now{};
      churn(table, bound, now, 20'000);
      const std::size_t before = allocation_count();
      ASSERT_GT(before, 0U);  // they are counted
      churn(table, bound, now, 1000);
      EXPECT_EQ(allocation_count(), before) << entry.name << ", capacity " << capacity;
    }
  }
}

}  // namespace
}  // namespace artel::conformance
