// How many tasks per second a pool takes in, runs and gives results for.
#include <malloc.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <latch>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/dispatch/policy.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/task_body.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/sync/relax.hpp"
#include "bench/measure.hpp"
#include "bench/pool_throughput/contenders.hpp"
#include "bench/spin.hpp"

namespace artel::bench {
namespace {

// Sums that tasks add to, apart for every thread, so that tasks do not fight over a line.
class Sums {
 public:
  void add(std::uint64_t value) {
    auto& mine = slots_[slot()].value;
    mine.store(mine.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const auto& each : slots_) sum += each.value.load();
    return sum;
  }

 private:
  static constexpr std::size_t kSlots = 4096;  // more than threads are made in one run
  static std::size_t slot() {
    static std::atomic<std::size_t> next = 0;
    thread_local const std::size_t mine = next++ % kSlots;
    return mine;
  }
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> value = 0;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
};

// Of a thread that waits for another one: some time, then the processor, which that one may need.
void give_way() {
  for (int i = 0; i < 50; ++i) sync::relax();
  std::this_thread::yield();
}

// What a task does.
void work(Sums& sums, std::uint64_t i, std::uint64_t passes) {
  spin(passes);
  sums.add(i);
}

Outcome outcome(std::size_t tasks, double seconds, std::uint64_t answer) {
  return {{{"tasks_per_s", "1/s", static_cast<double>(tasks) / seconds}}, std::to_string(answer)};
}

// Bytes on the heap, whoever asked for them.
double heap_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

// `producers` threads post `tasks` tasks that each burn so many loop passes.
template <class Pool>
Outcome post(Pool& pool, unsigned producers, std::size_t tasks, std::uint64_t passes) {
  Sums sums;
  const double cpu_before = cpu_seconds();
  const double seconds = seconds_of([&] {
    std::vector<std::thread> threads;
    for (unsigned p = 0; p < producers; ++p) {
      threads.emplace_back([&, p] {
        for (std::size_t i = p; i < tasks; i += producers) {
          pool.post([&sums, i, passes] { work(sums, i, passes); });
        }
      });
    }
    for (auto& thread : threads) thread.join();
    pool.finish();
  });
  auto found = outcome(tasks, seconds, sums.total());
  found.figures.push_back(
      {"cpu_per_task", "s", (cpu_seconds() - cpu_before) / static_cast<double>(tasks)});
  return found;
}

// What a task costs in memory that waits while all workers are in others.
template <class Pool>
Outcome queue_up(Pool& pool, unsigned workers, std::size_t tasks) {
  std::latch busy(workers), go(1);
  for (unsigned w = 0; w < workers; ++w) {
    pool.post([&busy, &go] {
      busy.count_down();
      go.wait();
    });
  }
  busy.wait();
  const double before = heap_bytes();
  for (std::size_t i = 0; i < tasks; ++i) pool.post([] {});
  const double bytes = heap_bytes() - before;
  go.count_down();
  pool.finish();
  return {{{"bytes_per_task", "bytes", bytes / static_cast<double>(tasks)}}, {}};
}

// Results in batches: all are asked for after all have been submitted.
template <class Pool>
Outcome submit(Pool& pool, std::size_t tasks) {
  constexpr std::size_t kBatch = 1000;
  std::uint64_t sum = 0;
  const double seconds = seconds_of([&] {
    std::vector<decltype(pool.submit([] { return std::uint64_t{}; }))> futures;
    futures.reserve(kBatch);
    for (std::size_t done = 0; done < tasks; done += kBatch) {
      for (std::size_t i = 0; i < kBatch; ++i) {
        futures.push_back(pool.submit([value = done + i]() -> std::uint64_t { return value; }));
      }
      for (auto& future : futures) sum += future.get();
      futures.clear();
    }
    pool.finish();
  });
  return outcome(tasks, seconds, sum);
}

int fib(pool::Pool& pool, int n) {
  if (n < 2) return n;
  auto left = pool.submit([&pool, n] { return fib(pool, n - 1); });
  const int right = fib(pool, n - 2);
  return left.get() + right;
}

int tbb_fib(int n) {
  if (n < 2) return n;
  int left = 0;
  tbb::task_group group;
  group.run([&left, n] { left = tbb_fib(n - 1); });
  const int right = tbb_fib(n - 2);
  group.wait();
  return left + right;
}

double fib_calls(int n) {
  double before = 1, calls = 1;
  for (int i = 2; i <= n; ++i) calls += std::exchange(before, calls) + 1;
  return calls;
}

class Suite {
 public:
  explicit Suite(Comparison& comparison) : comparison_(comparison) {}

  void add_posts(const std::string& workload, unsigned workers, unsigned producers,
                 std::size_t tasks, std::uint64_t passes) {
    add_all(workload, workers, [=](auto& pool) { return post(pool, producers, tasks, passes); });
    if (workers == 2 && producers == 1 && passes == 0) {
      for (const auto& policy : further_policies()) {
        add("artel-" + dispatch::name(policy), workload, [=] {
          ArtelPool pool(workers, policy);
          return post(pool, producers, tasks, passes);
        });
      }
    }
    if (passes > 0) add_plain_loop(workload, workers, tasks, passes);
  }

  void add_submits(const std::string& workload, unsigned workers, std::size_t tasks) {
    add_all(workload, workers, [=](auto& pool) { return submit(pool, tasks); });
  }

  // oneTBB has an allocator of its own, which cannot be asked.
  void add_queued(const std::string& workload, std::size_t tasks) {
    constexpr unsigned kWorkers = 2;
    add("artel-least_loaded", workload, [=] {
      ArtelPool pool({.workers = kWorkers, .common = tasks});
      return queue_up(pool, kWorkers, tasks);
    });
    add("asio", workload, [=] {
      AsioPool pool(kWorkers);
      return queue_up(pool, kWorkers, tasks);
    });
    add("mutex", workload, [=] {
      MutexPool pool(kWorkers);
      return queue_up(pool, kWorkers, tasks);
    });
  }

  void add_fib(const std::string& workload, unsigned workers, int n) {
    for (const auto& policy : policies()) {
      add("artel-" + dispatch::name(policy), workload, [=] {
        pool::Pool pool({.workers = workers, .dispatch = policy});
        int answer = 0;
        const double seconds =
            seconds_of([&] { answer = pool.submit([&] { return fib(pool, n); }).get(); });
        return calls_outcome(n, seconds, answer);
      });
    }
    add("tbb", workload, [=] {
      tbb::task_arena arena(static_cast<int>(workers));
      int answer = 0;
      const double seconds = seconds_of([&] { arena.execute([&] { answer = tbb_fib(n); }); });
      return calls_outcome(n, seconds, answer);
    });
  }

  // Two threads and a ring between them: hand-over without a pool around it.
  void add_hand_off(const std::string& workload, std::size_t tasks) {
    add("limit", workload, [=] {
      Sums sums;
      pool::detail::JobRing ring;
      ring.allocate(256);
      struct Nobody final : pool::detail::Runner {
        std::optional<pool::TaskOutcome> begin(pool::detail::TaskTimes&) override { return {}; }
        void end(pool::detail::TaskTimes&, pool::TaskOutcome) override {}
        void discard(pool::detail::TaskTimes&, pool::TaskOutcome) override {}
        void put_off() override {}
        void put_back(pool::detail::Job&) override {}
        void account(pool::TaskOutcome) override {}
        void unclaimed_exception() override {}
      } runner;
      const double seconds = seconds_of([&] {
        std::thread consumer([&] {
          pool::detail::Job job;
          for (std::size_t i = 0; i < tasks;) {
            if (!ring.pop(job)) {
              give_way();
              continue;
            }
            static_cast<void>(job.run(runner));
            ++i;
          }
        });
        for (std::size_t i = 0; i < tasks; ++i) {
          auto body = [&sums, i] { sums.add(i); };
          pool::detail::Job job(pool::detail::PlainBody<decltype(body)>{body});
          while (ring.try_push(256, job) != pool::detail::JobRing::Pushed::ok) give_way();
        }
        consumer.join();
      });
      return outcome(tasks, seconds, sums.total());
    });
  }

 private:
  static std::vector<dispatch::Policy> policies() {
    return {dispatch::LeastLoaded{}, dispatch::Jsq{}, dispatch::RoundRobin{},
            dispatch::Random{},      dispatch::Jiq{}, dispatch::ClosedLoop{}};
  }
  // Which come to one of those when tasks bring no sizes and workers no weights.
  static std::vector<dispatch::Policy> further_policies() {
    return {dispatch::WeightedRoundRobin{}, dispatch::LeastWorkLeft{}, dispatch::Sita{},
            dispatch::LeastLoaded{{dispatch::Measure::occupancy}},
            dispatch::LeastLoaded{{dispatch::Measure::delay}}};
  }

  static Outcome calls_outcome(int n, double seconds, int answer) {
    return {{{"tasks_per_s", "1/s", fib_calls(n) / seconds}}, std::to_string(answer)};
  }

  void add(std::string contender, const std::string& workload, std::function<Outcome()> run,
           int repetitions_max = 1000) {
    comparison_.add({std::move(contender), workload, std::move(run), repetitions_max});
  }

  template <class Run>
  void add_all(const std::string& workload, unsigned workers, Run run) {
    for (const auto& policy : policies()) {
      add("artel-" + dispatch::name(policy), workload, [=] {
        ArtelPool pool(workers, policy);
        return run(pool);
      });
    }
    add("tbb", workload, [=] {
      TbbPool pool(workers);
      return run(pool);
    });
    add("asio", workload, [=] {
      AsioPool pool(workers);
      return run(pool);
    });
    add("mutex", workload, [=] {
      MutexPool pool(workers);
      return run(pool);
    });
  }

  // As many threads as workers that simply do the work: what there is to reach.
  void add_plain_loop(const std::string& workload, unsigned workers, std::size_t tasks,
                      std::uint64_t passes) {
    add("limit", workload, [=] {
      Sums sums;
      const double seconds = seconds_of([&] {
        std::vector<std::thread> threads;
        for (unsigned w = 0; w < workers; ++w) {
          threads.emplace_back([&, w] {
            for (std::size_t i = w; i < tasks; i += workers) work(sums, i, passes);
          });
        }
        for (auto& thread : threads) thread.join();
      });
      return outcome(tasks, seconds, sums.total());
    });
  }

  Comparison& comparison_;
};

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("pool_throughput", argc, argv);
  Suite suite(comparison);
  const bool smoke = comparison.smoke();
  const std::size_t many = smoke ? 2'000 : 1'000'000;
  const std::size_t some = smoke ? 1'000 : 200'000;
  const std::size_t few = smoke ? 100 : 40'000;
  const std::uint64_t us = passes_per_us();
  suite.add_posts("post/W2/P1", 2, 1, many, 0);
  suite.add_hand_off("post/W2/P1", many);
  suite.add_posts("post/W2/P2", 2, 2, many, 0);
  suite.add_posts("post/W16/P1", 16, 1, many, 0);
  suite.add_submits("submit/W2", 2, some);
  suite.add_queued("queued/W2", many);
  suite.add_posts("spin1us/W2", 2, 1, some, us);
  suite.add_posts("spin10us/W2", 2, 1, few, 10 * us);
  suite.add_fib("fib27/W2", 2, smoke ? 12 : 27);
  return comparison.run();
}
