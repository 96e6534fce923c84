#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "bench/measure.hpp"
#include "bench/rivals/tally.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {

using Clock = std::chrono::steady_clock;

[[nodiscard]] double us_between(Clock::time_point from, Clock::time_point to);
/// The value below which a share `p` of these lies.
[[nodiscard]] double quantile(std::vector<double> values, double p);
/// Median and p99.
[[nodiscard]] Outcome latencies(const std::vector<double>& us);
/// Long enough for a pool to fall asleep.
void sleep_between_rounds();

/// From submitting to the start of the task, in an idle pool.
struct Starts {
  unsigned workers = 0;
  std::size_t rounds = 0;

  template <class Make>
  Outcome run(const Make& make) const {
    auto pool = make(workers);
    meet_all_workers(pool, workers);
    std::vector<double> us;
    for (std::size_t i = 0; i < rounds; ++i) {
      sleep_between_rounds();
      const auto started = std::make_shared<std::promise<Clock::time_point>>();
      auto start = started->get_future();
      const auto submitted = Clock::now();
      pool.post([started] { started->set_value(Clock::now()); });
      us.push_back(us_between(submitted, start.get()));
    }
    return latencies(us);
  }
};

/// From submitting to having the result; the caller waits, it runs no tasks. The next round comes
/// once the pool is idle, or at once (`back_to_back`).
struct RoundTrips {
  unsigned workers = 0;
  std::size_t rounds = 0;
  bool back_to_back = false;

  template <class Make>
  Outcome run(const Make& make) const {
    auto pool = make(workers);
    meet_all_workers(pool, workers);
    std::vector<double> us;
    const double cpu_before = cpu_seconds();
    for (std::size_t i = 0; i < rounds; ++i) {
      if (!back_to_back) sleep_between_rounds();
      const auto submitted = Clock::now();
      static_cast<void>(pool.submit([i] { return i; }).get());
      us.push_back(us_between(submitted, Clock::now()));
    }
    const double cpu = cpu_seconds() - cpu_before;
    Outcome found = latencies(us);
    found.figures.push_back({"cpu_per_round", "s", cpu / static_cast<double>(rounds)});
    return found;
  }
};

/// Keeps promises some 200 us after it was given them, as a disk or another machine would.
template <class Promise>
class Keeper {
 public:
  Keeper() : thread_([this] { keep(); }) {}
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  ~Keeper() {
    over_ = true;
    thread_.join();
  }
  void take(Promise promise) {
    const std::lock_guard lock(mutex_);
    open_.push_back(std::move(promise));
  }

 private:
  void keep() {
    while (!over_) {
      std::vector<Promise> due;
      {
        const std::lock_guard lock(mutex_);
        due.swap(open_);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      for (Promise& promise : due) promise.set_value();
    }
  }

  std::mutex mutex_;
  std::vector<Promise> open_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

/// The promise that a pool's tasks wait for: its own, if it has one.
template <class Pool>
struct PromiseOf {
  using Type = std::promise<void>;
};
template <class Pool>
  requires requires { typename Pool::Promise; }
struct PromiseOf<Pool> {
  using Type = typename Pool::Promise;
};

/// Tasks that each wait for somebody outside.
struct Waits {
  unsigned workers = 0;
  std::size_t tasks = 0;

  template <class Make>
  Outcome run(const Make& make) const {
    using Promise = typename PromiseOf<std::invoke_result_t<const Make&, unsigned>>::Type;
    Keeper<Promise> keeper;
    Tally tally;
    auto pool = make(workers);
    meet_all_workers(pool, workers);
    const double cpu_before = cpu_seconds();
    const double seconds = seconds_of([&] {
      for (std::size_t i = 0; i < tasks; ++i) {
        pool.post([&] {
          Promise promise;
          auto future = promise.get_future();
          keeper.take(std::move(promise));
          future.get();
          tally.add(1);
        });
      }
      tally.wait_for(tasks);
    });
    const double cpu = cpu_seconds() - cpu_before;
    Outcome found = per_second(tasks, seconds, {});
    found.figures.push_back({"cpu_per_task", "s", cpu / static_cast<double>(tasks)});
    return found;
  }
};

}  // namespace artel::bench
