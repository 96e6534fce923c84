#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "artel/pool/spin_lock.hpp"
#include "artel/pool/stamp.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {

/// How many tasks ended, and how.
struct Outcomes {
  std::array<std::uint64_t, kOutcomes> counts{};

  [[nodiscard]] std::uint64_t of(Outcome outcome) const {
    return counts[static_cast<std::size_t>(outcome)];
  }
  [[nodiscard]] std::uint64_t ended() const {
    return counts[0] + counts[1] + counts[2] + counts[3];
  }
  void add(const Outcomes& other) {
    for (std::size_t i = 0; i < kOutcomes; ++i) counts[i] += other.counts[i];
  }
};

/// Outcomes that a thread counts while others read.
///
/// Threads: add() by one thread, add_shared() by any; not both on one object. read() by any.
class OutcomeCounts {
 public:
  void add(Outcome outcome) {
    auto& count = at(outcome);
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void add_shared(Outcome outcome) { at(outcome).fetch_add(1); }

  [[nodiscard]] Outcomes read() const {
    Outcomes outcomes;
    for (std::size_t i = 0; i < kOutcomes; ++i) {
      outcomes.counts[i] = counts_[i].load(std::memory_order_relaxed);
    }
    return outcomes;
  }

 private:
  std::atomic<std::uint64_t>& at(Outcome outcome) {
    return counts_[static_cast<std::size_t>(outcome)];
  }

  std::array<std::atomic<std::uint64_t>, kOutcomes> counts_{};
};

/// What was measured of the tasks that carried a stamp, each weighted by the tasks it stands for.
///
/// Cost:    about 20 ns per record.
/// Threads: any.
class Measurements {
 public:
  static constexpr unsigned kPrecisionBits = 6;  // within 0.8 %

  void record(Duration queue_delay, Duration service, std::uint64_t weight) {
    const std::lock_guard lock(lock_);
    queue_delay_ns_.record(positive(queue_delay), weight);
    service_ns_.record(positive(service), weight);
  }
  void merge_into(stat::Histogram& queue_delay_ns, stat::Histogram& service_ns) const {
    const std::lock_guard lock(lock_);
    queue_delay_ns.merge(queue_delay_ns_);
    service_ns.merge(service_ns_);
  }

 private:
  static std::uint64_t positive(Duration duration) {
    return duration.count() > 0 ? static_cast<std::uint64_t>(duration.count()) : 0;
  }

  mutable SpinLock lock_;
  stat::Histogram queue_delay_ns_{kPrecisionBits};
  stat::Histogram service_ns_{kPrecisionBits};
};

/// A smoothed time that many threads read and a few update: new = old + (sample - old) / 8, where a
/// sample counts at most as 8 times the old value, so that one outlier does not change the picture.
/// The first sample counts as it is: an estimate that is too long is soon corrected, because long
/// tasks are all measured; one that is too short is not. 0: nothing measured yet.
///
/// Threads: any; updates that collide are lost, which is harmless.
class SmoothedTime {
 public:
  void add(Duration sample) {
    const std::int64_t old = ns_.load(std::memory_order_relaxed);
    if (old == 0) {
      ns_.store(sample.count(), std::memory_order_relaxed);
      return;
    }
    const std::int64_t limit = old * 8 + 1000;
    const std::int64_t value = sample.count() < limit ? sample.count() : limit;
    ns_.store(old + (value - old) / 8, std::memory_order_relaxed);
  }
  [[nodiscard]] Duration get() const { return Duration{ns_.load(std::memory_order_relaxed)}; }

 private:
  std::atomic<std::int64_t> ns_ = 0;
};

}  // namespace artel::pool
