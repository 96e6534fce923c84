#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bench/measure.hpp"
#include "bench/rivals/latency.hpp"
#include "bench/rivals/tally.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {

struct Arrival {
  double at_s = 0;
  double size_s = 0;  ///< how long the task sleeps
};

/// Tasks that sleep for one of two times. Those of a time count that are up to `counted_s` long.
struct Mix {
  double short_s = 0, long_s = 0, long_share = 0;
  double counted_s = 1e9;
};

/// `burst` tasks at each arrival, gaps exponential, `load` of what so many workers can do.
[[nodiscard]] std::vector<Arrival> arrivals(const Mix& mix, std::size_t tasks, unsigned workers,
                                            double load, std::size_t burst);
/// First come, first served by whoever is free first: the response times.
[[nodiscard]] std::vector<double> central_queue(const std::vector<Arrival>& load, unsigned workers);
/// Median, p99 and p99.9 of the response times of those that count.
[[nodiscard]] Outcome tail(const std::vector<double>& response_s, const std::vector<Arrival>& load,
                           double counted_s);

/// What became of each task: when it came and how long it slept in the end, and when it was done.
class Responses {
 public:
  explicit Responses(const std::vector<Arrival>& load)
      : load_(load), response_s_(load.size()), happened_(load.size()) {}

  /// Posts task i, which came at that time.
  template <class Pool, class Then>
  void post(Pool& pool, std::size_t i, Clock::time_point came, const Then& then) {
    happened_[i].at_s = std::chrono::duration<double>(came - start_).count();
    pool.post([this, i, came, &then] {
      const auto begin = Clock::now();
      if (load_[i].size_s > 0)
        std::this_thread::sleep_for(std::chrono::duration<double>(load_[i].size_s));
      const auto end = Clock::now();
      happened_[i].size_s = std::chrono::duration<double>(end - begin).count();
      response_s_[i] = std::chrono::duration<double>(end - came).count();
      then();
    });
  }
  [[nodiscard]] Clock::time_point start() const { return start_; }
  /// The response times beside the ideal queue's for what really happened, that is for arrivals
  /// when they came and sleeps as long as they were: sleeps overrun, and a machine that stands
  /// still delays arrivals; neither is the pool's doing.
  [[nodiscard]] Outcome outcome(unsigned workers, double counted_s) const;

 private:
  const std::vector<Arrival>& load_;
  std::vector<double> response_s_;
  std::vector<Arrival> happened_;
  Clock::time_point start_ = Clock::now() + std::chrono::milliseconds(10);
};

/// Tasks that arrive when they do, whatever the pool is up to.
struct OpenLoad {
  unsigned workers = 0;
  double counted_s = 0;
  std::shared_ptr<const std::vector<Arrival>> load;

  template <class Make>
  Outcome run(const Make& make) const {
    Tally tally;
    const auto count = [&tally] { tally.add(1); };
    auto pool = make(workers);
    meet_all_workers(pool, workers);
    Responses responses(*load);
    Clock::duration late{};
    for (std::size_t i = 0; i < load->size(); ++i) {
      const auto due = responses.start() + std::chrono::duration_cast<Clock::duration>(
                                               std::chrono::duration<double>((*load)[i].at_s));
      std::this_thread::sleep_until(due);
      const auto now = Clock::now();
      late = std::max(late, now - due);
      responses.post(pool, i, now, count);
    }
    tally.wait_for(load->size());
    Outcome found = responses.outcome(workers, counted_s);
    found.figures.push_back(
        {"late_ms", "ms", std::chrono::duration<double, std::milli>(late).count()});
    return found;
  }
};

/// So many tasks that are in the pool at any time: the next one comes when one has ended.
struct ClosedLoad {
  unsigned workers = 0;
  std::size_t inside = 0;
  double counted_s = 0;
  std::shared_ptr<const std::vector<Arrival>> load;  ///< without their times

  template <class Make>
  Outcome run(const Make& make) const {
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t room = inside;
    const auto leave = [&] {
      const std::lock_guard lock(mutex);
      ++room;
      ended.notify_one();
    };
    auto pool = make(workers);
    meet_all_workers(pool, workers);
    Responses responses(*load);
    for (std::size_t i = 0; i < load->size(); ++i) {
      std::unique_lock lock(mutex);
      ended.wait(lock, [&] { return room > 0; });
      --room;
      lock.unlock();
      responses.post(pool, i, Clock::now(), leave);
    }
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return room == inside; });
    return responses.outcome(workers, counted_s);
  }
};

}  // namespace artel::bench
