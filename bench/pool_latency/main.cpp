// How soon an idle pool starts a task, and how soon its submitter has the result.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <ratio>
#include <string>
#include <thread>
#include <vector>

#include "artel/dispatch/policy.hpp"
#include "artel/sync/parker.hpp"
#include "bench/measure.hpp"
#include "bench/pool_throughput/contenders.hpp"

namespace artel::bench {
namespace {

using Clock = std::chrono::steady_clock;

double us_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(p * static_cast<double>(values.size())))];
}

Outcome outcome(const std::vector<double>& us) {
  return {{{"p50_us", "us", quantile(us, 0.5)}, {"p99_us", "us", quantile(us, 0.99)}}, ""};
}

void gap() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

// From submitting to the start of the task.
template <class Pool>
Outcome start(Pool& pool, std::size_t rounds) {
  std::vector<double> us;
  for (std::size_t i = 0; i < rounds; ++i) {
    gap();
    std::atomic<bool> done = false;
    Clock::time_point started;
    const auto submitted = Clock::now();
    pool.post([&] {
      started = Clock::now();
      done.store(true);
      done.notify_one();
    });
    done.wait(false);
    us.push_back(us_between(submitted, started));
  }
  pool.finish();
  return outcome(us);
}

// From submitting to having the result.
template <class Pool>
Outcome round_trip(Pool& pool, std::size_t rounds) {
  std::vector<double> us;
  for (std::size_t i = 0; i < rounds; ++i) {
    gap();
    const auto submitted = Clock::now();
    static_cast<void>(pool.submit([i] { return i; }).get());
    us.push_back(us_between(submitted, Clock::now()));
  }
  pool.finish();
  return outcome(us);
}

// A thread that sleeps on a futex and one that wakes it: nothing can start sooner that has to wake.
Outcome futex_wake_to_run(std::size_t rounds) {
  std::vector<double> us;
  sync::Parker to, back;
  Clock::time_point started;
  std::thread sleeper([&] {
    for (std::size_t i = 0; i < rounds; ++i) {
      static_cast<void>(to.park());
      started = Clock::now();
      back.unpark();
    }
  });
  for (std::size_t i = 0; i < rounds; ++i) {
    gap();
    const auto submitted = Clock::now();
    to.unpark();
    static_cast<void>(back.park());
    us.push_back(us_between(submitted, started));
  }
  sleeper.join();
  return outcome(us);
}

template <class Measure>
void add_all(Comparison& comparison, const std::string& workload, Measure measure) {
  constexpr unsigned kWorkers = 2;
  for (const dispatch::Policy& policy :
       {dispatch::Policy{dispatch::LeastLoaded{}}, dispatch::Policy{dispatch::Jsq{}}}) {
    comparison.add({"artel-" + dispatch::name(policy), workload, [=] {
                      ArtelPool pool(kWorkers, policy);
                      return measure(pool);
                    }});
  }
  comparison.add({"tbb", workload, [=] {
                    TbbPool pool(kWorkers);
                    return measure(pool);
                  }});
  comparison.add({"asio", workload, [=] {
                    AsioPool pool(kWorkers);
                    return measure(pool);
                  }});
  comparison.add({"mutex", workload, [=] {
                    MutexPool pool(kWorkers);
                    return measure(pool);
                  }});
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("pool_latency", argc, argv);
  const std::size_t rounds = comparison.smoke() ? 5 : 300;
  add_all(comparison, "start", [=](auto& pool) { return start(pool, rounds); });
  comparison.add({"limit", "start", [=] { return futex_wake_to_run(rounds); }});
  add_all(comparison, "round_trip", [=](auto& pool) { return round_trip(pool, rounds); });
  return comparison.run();
}
