// Random mixes of everything that a pool can do at once, from many threads. A run is given by its
// seed (but for the interleaving): ARTEL_SWARM_SEED=n repeats one, ARTEL_SWARM_RUNS=n makes more.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/random/stream.hpp"
#include "artel/sync/relax.hpp"

namespace artel::pool {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

dispatch::Policy some_policy(random::Stream& dice) {
  switch (dice.below(7)) {
    case 0:
      return dispatch::Random{};
    case 1:
      return dispatch::RoundRobin{};
    case 2:
      return dispatch::Jsq{};
    case 3:
      return dispatch::Jiq{};
    case 4:
      return dispatch::LeastWorkLeft{};
    case 5:
      return dispatch::ClosedLoop{.beacon_every = milliseconds(1),
                                  .publish_every = milliseconds(1)};
    default:
      return dispatch::LeastLoaded{};
  }
}

PoolOptions some_options(random::Stream& dice) {
  const auto max = static_cast<unsigned>(1 + dice.below(6));
  PoolOptions options{
      .name = "swarm",
      .workers = static_cast<unsigned>(1 + dice.below(max)),
      .workers_max = max,
      .queue = static_cast<unsigned>(dice.below(2) * (1 + dice.below(20))),
      .common = dice.below(3) == 0 ? dice.below(5) : 1000,
      .when_full = dice.below(2) == 0 ? dispatch::WhenFull::block : dispatch::WhenFull::reject,
      .dispatch = some_policy(dice),
      .shrink_timeout = milliseconds(1)};
  if (dice.below(4) == 0) options.stall_after = milliseconds(1);
  if (options.common == 0 && options.queue == 0) options.common = 10;
  return options;
}

// One thread's part: submits in every way, waits, cancels, throws, resizes.
class Member {
 public:
  Member(Pool& pool, Seed seed, std::uint64_t number, std::atomic<std::int64_t>& ran)
      : pool_(pool), dice_(seed, "member", number), ran_(ran) {}

  void act() {
    switch (dice_.below(12)) {
      case 0:
        futures_.push_back(pool_.submit(task(), some_submit_options()));
        break;
      case 1:
        futures_.push_back(pool_.submit(task()));
        break;
      case 2:
        if (auto future = pool_.try_submit(task())) futures_.push_back(std::move(*future));
        break;
      case 3:
        if (auto future = pool_.submit_until(task(), later(steady_now(), microseconds(200)))) {
          futures_.push_back(std::move(*future));
        }
        break;
      case 4:
        pool_.post(task(), some_submit_options());
        break;
      case 5:
        pool_.post(Nested{&pool_, task()});
        break;
      case 6:
        take_one();
        break;
      case 7:
        if (dice_.below(20) == 0)
          static_cast<void>(
              pool_.resize(static_cast<unsigned>(1 + dice_.below(pool_.options().workers_max))));
        break;
      case 8:
        source_ = std::stop_source();
        break;
      case 9:
        source_.request_stop();
        break;
      case 10:
        if (dice_.below(20) == 0) static_cast<void>(pool_.stats());
        break;
      default:
        pool_.post(task());
        break;
    }
  }

  // Every Future ends, one way or the other.
  void finish() {
    for (auto& future : futures_) {
      EXPECT_TRUE(future.wait_for(seconds(60)));
    }
    futures_.clear();
  }

 private:
  struct Task {
    std::atomic<std::int64_t>* ran;
    bool throws;
    int spins;

    int operator()() const {
      for (int i = 0; i < spins; ++i) sync::relax();
      ++*ran;
      if (throws) throw std::runtime_error("as planned");
      return spins;
    }
  };

  // Submits another task and waits for it.
  struct Nested {
    Pool* pool;
    Task inner;

    void operator()() const {
      ++*inner.ran;
      static_cast<void>(pool->submit(inner).result());
    }
  };

  Task task() {
    return {&ran_, dice_.below(10) == 0, static_cast<int>(dice_.below(50) == 0 ? 20'000 : 5)};
  }

  SubmitOptions some_submit_options() {
    SubmitOptions options;
    options.priority = static_cast<Priority>(dice_.below(kPriorities));
    if (dice_.below(3) == 0) options.deadline = later(steady_now(), microseconds(dice_.below(300)));
    if (dice_.below(3) == 0) options.stop = source_.get_token();
    options.size = microseconds(dice_.below(100));
    return options;
  }

  void take_one() {
    if (futures_.empty()) return;
    Future<int> future = std::move(futures_.back());
    futures_.pop_back();
    try {
      static_cast<void>(future.result());
    } catch (const std::runtime_error&) {
      return;
    }
  }

  Pool& pool_;
  random::Stream dice_;
  std::atomic<std::int64_t>& ran_;
  std::stop_source source_;
  std::vector<Future<int>> futures_;
};

void run_swarm(std::uint64_t seed_number, int actions) {
  SCOPED_TRACE("repeat with ARTEL_SWARM_SEED=" + std::to_string(seed_number));
  const auto seed = static_cast<Seed>(seed_number);
  random::Stream dice(seed, "options");
  std::atomic<std::int64_t> ran = 0;
  Pool pool(some_options(dice));
  const bool stops_midway = dice.below(3) == 0;
  const auto mode = dice.below(2) == 0 ? StopMode::drain : StopMode::cancel;
  std::vector<std::thread> threads;
  for (std::uint64_t m = 0; m < 3; ++m) {
    threads.emplace_back([&, m] {
      Member member(pool, seed, m, ran);
      for (int i = 0; i < actions; ++i) {
        member.act();
        if (stops_midway && m == 0 && i == actions / 2) pool.stop(mode);
      }
      member.finish();
      static_cast<void>(
          pool.wait_idle(later(steady_now(), seconds(60))));  // tasks refer to the member
    });
  }
  for (auto& thread : threads) thread.join();
  pool.stop(mode);
  const auto stats = pool.stats();
  const auto& outcomes = stats.total.outcomes;
  EXPECT_EQ(stats.accepted, outcomes.ended());
  EXPECT_EQ(
      static_cast<std::int64_t>(outcomes.of(TaskOutcome::done) + outcomes.of(TaskOutcome::failed)),
      ran.load());
}

TEST(PoolSwarm, KeepsItsAccountsWhateverHappens) {
  constexpr int kActions = 800;
  if (const char* text = std::getenv("ARTEL_SWARM_SEED"); text != nullptr) {
    run_swarm(std::strtoull(text, nullptr, 10), kActions);
    return;
  }
  const auto runs = from_environment("ARTEL_SWARM_RUNS", 40);
  for (std::uint64_t run = 1; run <= runs && !HasFailure(); ++run) run_swarm(run, kActions);
}

}  // namespace
}  // namespace artel::pool
