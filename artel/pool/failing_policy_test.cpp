// What is built on a pool, when the pool's policy throws: nothing hangs, nothing is lost.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <latch>
#include <optional>
#include <stdexcept>

#include "artel/core/id.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/parallel_for.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/strand.hpp"
#include "artel/pool/task_graph.hpp"
#include "artel/pool/task_scope.hpp"
#include "artel/pool/timer.hpp"

namespace artel::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class FailingPolicy : public testing::Test {
 protected:
  // Of what is put off nobody can hear but on_exception.
  std::atomic<int> heard_ = 0;
  Pool pool_{{.workers = 2,
              .dispatch = dispatch::Custom{.function = [](const auto&,
                                                          const auto&) -> std::optional<WorkerId> {
                throw std::runtime_error("no idea");
              }},
              .on_exception = [this](const std::exception_ptr& exception) {
                EXPECT_THROW(std::rethrow_exception(exception), std::runtime_error);
                ++heard_;
              }}};
};

TEST_F(FailingPolicy, WhoSpawnsHearsOfItAndTheScopeEnds) {
  TaskScope scope(pool_);
  EXPECT_THROW(scope.spawn([] {}), std::runtime_error);
  scope.wait();
  EXPECT_EQ(heard_, 0);
}

TEST_F(FailingPolicy, AGraphRunsAndCanBeRunAgain) {
  std::atomic<int> ran = 0;
  TaskGraph graph;
  auto first = graph.add([&] { ++ran; });
  auto second = graph.add([&] { ++ran; });
  auto last = graph.add([&] { ++ran; });
  last.after({first, second});
  for (int i = 1; i <= 2; ++i) {
    graph.run(pool_).get();
    EXPECT_EQ(ran, 3 * i);
  }
  EXPECT_GE(heard_, 1);
}

TEST_F(FailingPolicy, ALoopIsDone) {
  std::atomic<int> sum = 0;
  parallel_for(pool_, 0, 100, 1, [&](int i) { sum += i; });
  EXPECT_EQ(sum, 4950);
}

TEST_F(FailingPolicy, ATimerRuns) {
  std::latch ran(1);
  const Timer timer = pool_.after(milliseconds(1), [&] { ran.count_down(); });
  ran.wait();
  EXPECT_EQ(heard_, 1);
}

TEST_F(FailingPolicy, AStrandGoesOn) {
  Strand strand(pool_);
  EXPECT_EQ(strand.submit([] { return 1; }).get(), 1);
  EXPECT_EQ(strand.submit([] { return 2; }).get(), 2);
}

TEST_F(FailingPolicy, ACoroutineComesIntoThePool) {
  const auto work = [](Pool& in) -> Future<bool> {
    co_await in.schedule();
    const bool inside = in.this_worker().has_value();
    co_await in.sleep(milliseconds(1));
    co_return inside&& in.this_worker().has_value();
  };
  EXPECT_TRUE(work(pool_).get());
}

}  // namespace
}  // namespace artel::pool
