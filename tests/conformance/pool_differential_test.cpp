// Decisions that a pool under load made from its lock-free board, made again from the loads it saw.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/sync/relax.hpp"
#include "tests/conformance/every_policy.hpp"
#include "tests/conformance/recorded_decision.hpp"

namespace artel::conformance {
namespace {

class PoolDifferential : public ::testing::TestWithParam<std::size_t> {};

TEST_P(PoolDifferential, ThePurePolicyDecidesTheSame) {
  dispatch::Policy policy = every_policy_of_pools()[GetParam()];
  const bool published = std::holds_alternative<dispatch::ClosedLoop>(policy);
  if (auto* const closed_loop = std::get_if<dispatch::ClosedLoop>(&policy)) {
    closed_loop->beacon_every = closed_loop->publish_every = std::chrono::milliseconds(1);
  }
  std::mutex mutex;
  std::vector<RecordedDecision> decisions;
  bool saw_shares = false;
  bool kept_room = true;
  pool::Pool pool{{.workers = 4,
                   .queue = 5,
                   .weights = {1, 2, 3, 4},
                   .dispatch = policy,
                   .on_decision = [&](const pool::Decision& decision) {
                     const std::lock_guard lock(mutex);
                     decisions.emplace_back(decision.loads, decision.draw, decision.chosen);
                     saw_shares |= decision.draw.shares != nullptr;
                     kept_room &=
                         !decision.chosen || decision.loads.load(*decision.chosen).room() > 0;
                   }}};
  const auto submit = [&pool] {
    for (int i = 0; i < 500; ++i) {
      pool.post(
          [i] {
            for (int k = 0; k < (i % 7) * 100; ++k) sync::relax();
          },
          {.size = std::chrono::microseconds(i % 7), .key = static_cast<std::uint64_t>(i % 5)});
    }
  };
  const Instant end = later(steady_now(), std::chrono::seconds(30));
  do {
    std::thread other(submit);
    submit();
    other.join();
    // A pool with a backlog decides nothing: its workers help themselves.
    ASSERT_TRUE(pool.wait_idle(end));
  } while (published && !saw_shares);
  EXPECT_FALSE(decisions.empty());
  EXPECT_TRUE(kept_room);
  EXPECT_EQ(saw_shares, published);
  EXPECT_TRUE(std::all_of(decisions.begin(), decisions.end(),
                          [&policy](const auto& decision) { return decision.holds_for(policy); }));
}

INSTANTIATE_TEST_SUITE_P(Policies, PoolDifferential,
                         ::testing::Range<std::size_t>(0, every_policy_of_pools().size()),
                         [](const auto& param) {
                           return identifier(every_policy_of_pools()[param.param]);
                         });

}  // namespace
}  // namespace artel::conformance
