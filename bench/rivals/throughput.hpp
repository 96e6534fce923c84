#pragma once

#include <cstddef>
#include <cstdint>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/measure.hpp"
#include "bench/rivals/tally.hpp"
#include "bench/spin.hpp"

namespace artel::bench {

/// Processor seconds that `tasks` tasks of so many loop passes take by themselves.
[[nodiscard]] double spin_cpu_seconds(std::size_t tasks, std::uint64_t passes);
/// Bytes on the heap, whoever asked for them.
[[nodiscard]] double heap_bytes();
[[nodiscard]] Outcome per_second(std::size_t tasks, double seconds, const std::string& answer);
/// Calls that fib(n) makes.
[[nodiscard]] double fib_calls(int n);

/// Has every worker run a task at the same time: threads start before anything is measured, and a
/// pool with fewer workers than asked for does not get past this.
template <class Pool>
void meet_all_workers(Pool& pool, unsigned workers) {
  const auto met = std::make_shared<std::latch>(workers + 1);
  for (unsigned i = 0; i < workers; ++i) pool.post([met] { met->arrive_and_wait(); });
  met->arrive_and_wait();
}

/// `producers` threads post `tasks` tasks that each burn so many loop passes.
struct Posts {
  unsigned workers = 0, producers = 0;
  std::size_t tasks = 0;
  std::uint64_t passes = 0;

  template <class Make>
  Outcome run(const Make& make) const {
    const double work = spin_cpu_seconds(tasks, passes);
    Tally tally;
    auto pool = make(workers);
    meet_all_workers(pool, workers);
    const double cpu_before = cpu_seconds();
    const double seconds = seconds_of([&] {
      std::vector<std::thread> threads;
      for (unsigned p = 0; p < producers; ++p) {
        threads.emplace_back([&, p] {
          for (std::size_t i = p; i < tasks; i += producers) {
            pool.post([&tally, i, passes = passes] {
              spin(passes);
              tally.add(i);
            });
          }
        });
      }
      for (auto& thread : threads) thread.join();
      tally.wait_for(tasks);
    });
    return outcome(work, seconds, cpu_seconds() - cpu_before, tally.sum());
  }
  /// `work` and `cpu`: processor seconds that the tasks take by themselves, and that were spent.
  [[nodiscard]] Outcome outcome(double work, double seconds, double cpu, std::uint64_t sum) const;
};

/// Results in batches of 1 000: all are asked for after all have been submitted.
struct Submits {
  unsigned workers = 0;
  std::size_t tasks = 0;

  template <class Make>
  Outcome run(const Make& make) const {
    constexpr std::size_t kBatch = 1000;
    auto pool = make(workers);
    meet_all_workers(pool, workers);
    std::uint64_t sum = 0;
    const double seconds = seconds_of([&] {
      const auto submit = [&](std::uint64_t i) { return pool.submit([i] { return i; }); };
      std::vector<decltype(submit(0))> futures;
      futures.reserve(kBatch);
      for (std::size_t done = 0; done < tasks; done += kBatch) {
        for (std::size_t i = 0; i < kBatch; ++i) futures.push_back(submit(done + i));
        for (auto& future : futures) sum += future.get();
        futures.clear();
      }
    });
    return per_second(tasks, seconds, std::to_string(sum));
  }
};

/// What a task costs in memory that waits while all workers are in others.
struct Queued {
  unsigned workers = 0;
  std::size_t tasks = 0;

  template <class Make>
  Outcome run(const Make& make) const {
    Tally tally;
    std::latch busy(workers), go(1);
    auto pool = make(workers);
    meet_all_workers(pool, workers);
    for (unsigned w = 0; w < workers; ++w) {
      pool.post([&] {
        busy.count_down();
        go.wait();
      });
    }
    busy.wait();
    const double before = heap_bytes();
    for (std::size_t i = 0; i < tasks; ++i) pool.post([&tally] { tally.add(1); });
    const double bytes = heap_bytes() - before;
    go.count_down();
    tally.wait_for(tasks);
    return {{{"bytes_per_task", "bytes", bytes / static_cast<double>(tasks)}}, {}};
  }
};

/// One thread feeds two pools of one worker in turn; against one pool of two workers.
struct TwoPools {
  std::size_t tasks = 0;

  template <class Make>
  Outcome run(const Make& make) const {
    const double one = [&] {
      auto pool = make(2);
      meet_all_workers(pool, 2);
      return feed(pool, pool);
    }();
    const double two = [&] {
      auto left = make(1);
      auto right = make(1);
      meet_all_workers(left, 1);
      meet_all_workers(right, 1);
      return feed(left, right);
    }();
    Outcome found = per_second(tasks, two, {});
    found.figures.push_back({"of_one_pool", "ratio", one / two});
    return found;
  }

 private:
  template <class Pool>
  double feed(Pool& left, Pool& right) const {
    Tally tally;
    return seconds_of([&] {
      for (std::size_t i = 0; i < tasks; i += 2) {
        left.post([&tally, i] { tally.add(i); });
        right.post([&tally, i] { tally.add(i); });
      }
      tally.wait_for(tasks);
    });
  }
};

/// fib(n), where every call forks one of its own and waits for it.
struct Fib {
  unsigned workers = 0;
  int n = 0;

  /// `answer()` computes it on a pool that is there already.
  template <class Answer>
  Outcome run(const Answer& answer) const {
    int found = 0;
    const double seconds = seconds_of([&] { found = answer(); });
    return per_second(static_cast<std::size_t>(fib_calls(n)), seconds, std::to_string(found));
  }
};

}  // namespace artel::bench
