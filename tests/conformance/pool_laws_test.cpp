// What a pool promises under abuse, with every policy; more of that with one policy is in
// artel/pool.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/promise.hpp"
#include "tests/conformance/every_policy.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::conformance {
namespace {

using pool::Pool;
using pool::soon;

class PoolLaws : public ::testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] static dispatch::Policy policy() { return every_policy_of_pools()[GetParam()]; }
  [[nodiscard]] static pool::PoolOptions options(unsigned workers) {
    return {.workers = workers, .dispatch = policy()};
  }
};

// A task that submits itself again, and counts how often it ran.
struct Again {
  Pool* pool;
  std::atomic<std::uint64_t>* rounds;
  std::atomic<bool>* stop;

  void operator()() const {
    ++*rounds;
    if (!*stop) pool->post(*this);
  }
};

// In turns, not in time: a worker takes what waits in the common queue after 61 of its own tasks'
// children, some dozen of it at once, and looks at every other worker's queue each 61 tasks.
TEST_P(PoolLaws, TasksThatResubmitThemselvesStarveNobody) {
  for (const unsigned workers : {1U, 2U}) {
    std::atomic<std::uint64_t> rounds = 0;
    std::atomic<bool> stop = false;
    std::atomic<int> ran = 0;
    constexpr int kOutside = 50;
    Pool pool(options(workers));
    for (unsigned i = 0; i < workers; ++i) pool.post(Again{&pool, &rounds, &stop});
    while (rounds < 1'000) std::this_thread::yield();
    for (int i = 0; i < kOutside; ++i) pool.post([&ran] { ++ran; });
    const Instant end = soon();
    const std::uint64_t before = rounds;
    while (ran < kOutside && steady_now() < end) std::this_thread::yield();
    EXPECT_EQ(ran, kOutside) << "after " << rounds - before << " turns of " << workers;
    stop = true;
  }
}

TEST_P(PoolLaws, DrainingRunsWhatRunningTasksSubmit) {
  std::atomic<int> leaves = 0;
  constexpr int kDepth = 10;
  std::function<void(int)> grow;
  {
    Pool pool(options(2));
    grow = [&](int depth) {
      if (depth == 0) {
        ++leaves;
        return;
      }
      for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(pool.post([&grow, depth] { grow(depth - 1); }), pool::Admission::accepted);
      }
    };
    pool.post([&grow] { grow(kDepth); });
  }
  EXPECT_EQ(leaves, 1 << kDepth);
}

TEST_P(PoolLaws, WaitingNeverStopsThePool) {
  for (const unsigned workers : {1U, 2U}) {
    // All wait for promises that the last task keeps.
    std::vector<pool::Promise<int>> promises(200);
    std::vector<pool::Future<int>> futures;
    futures.reserve(promises.size());
    for (auto& promise : promises) futures.push_back(promise.future());
    std::atomic<int> got = 0;
    Pool pool(options(workers));
    for (auto& future : futures) pool.post([&future, &got] { got += future.get(); });
    pool.post([&promises] {
      for (auto& promise : promises) promise.set_value(1);
    });
    ASSERT_TRUE(pool.wait_idle(soon()));
    EXPECT_EQ(got, 200);
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, PoolLaws,
                         ::testing::Range<std::size_t>(0, every_policy_of_pools().size()),
                         [](const auto& param) {
                           return identifier(every_policy_of_pools()[param.param]);
                         });

}  // namespace
}  // namespace artel::conformance
