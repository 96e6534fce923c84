// Submitters who meet at one and the same queue.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

#include "artel/core/cpu_quota.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_stats.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A task that does something each time that its submitter moves it: the last time into a queue,
// where no other submitter gets in meanwhile.
class Slow {
 public:
  explicit Slow(const std::function<void()>& on_move) : on_move_(&on_move) {}
  Slow(Slow&& other) noexcept : submitter_(other.submitter_), on_move_(other.on_move_) {
    if (std::this_thread::get_id() == submitter_) (*on_move_)();
  }
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;
  Slow& operator=(Slow&&) = delete;
  ~Slow() = default;
  void operator()() const {}

 private:
  std::thread::id submitter_ = std::this_thread::get_id();
  const std::function<void()>* on_move_;
};

// Its tasks are known to be so short that waking a worker for one would not pay.
void learn_short_tasks(Pool& pool) {
  for (int i = 0; i < 20'000; ++i) pool.post([] {});
  EXPECT_TRUE(pool.wait_idle());
}

// Whether tasks run that others submit while one is being moved into a queue.
bool others_run_beside_a_slow_one() {
  std::vector<std::thread> others;
  std::atomic<int> ran = 0;
  bool all_ran = true;
  std::latch started(1), go(1);
  Pool pool({.workers = 2});
  learn_short_tasks(pool);
  pool.post([&] {
    started.count_down();
    go.wait();
  });
  started.wait();
  std::this_thread::sleep_for(milliseconds(20));  // then the other worker is parked, most often
  const std::function<void()> meet = [&] {
    others.emplace_back([&] { pool.post([&] { ++ran; }); });
    const auto posted = static_cast<int>(others.size());
    for (const auto end = later(steady_now(), seconds(1)); ran != posted && steady_now() < end;)
      std::this_thread::sleep_for(milliseconds(1));
    all_ran = all_ran && ran == posted;
  };
  pool.post(Slow(meet));
  go.count_down();
  for (auto& other : others) other.join();
  EXPECT_TRUE(pool.wait_idle());
  return all_ran && ran > 0;
}

// Not always: both may be at the worker that was parked, where the tasks before were measured to be
// long because others had the processor meanwhile. And if nobody is woken, somebody may be awake.
TEST(PoolCrowd, WhoMeetsAnotherSubmitterWakesAWorker) {
  if (usable_cpus() < 2) GTEST_SKIP() << "no processor for another worker";
  int woken = 0;
  for (int i = 0; i < 9 && woken < 3; ++i) woken += others_run_beside_a_slow_one() ? 1 : 0;
  EXPECT_EQ(woken, 3) << "they wait for it";
}

TEST(PoolCrowd, WhoMeetsAnotherSubmitterAtTheOnlyQueueStandsInLineThere) {
  std::vector<std::thread> others;
  HeldPool held({.workers = 1});
  const std::function<void()> meet = [&] {
    others.emplace_back([&] { held->post([] {}); });
    std::this_thread::sleep_for(milliseconds(30));  // that it gets there, most often
  };
  held->post(Slow(meet));
  for (auto& other : others) other.join();
  EXPECT_EQ(held->stats().queued_common, 0);
  EXPECT_EQ(held->stats().total.queued, 1 + others.size());
}

}  // namespace
}  // namespace artel::pool
