#pragma once

#include <cstdint>
#include <mutex>
#include <new>

#include "artel/core/instant.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/sync/spin_lock.hpp"

namespace artel::pool::detail {

/// What was measured of the tasks that carried their TaskTimes, each weighted by the tasks it
/// stands for.
///
/// Cost:    about 20 ns per record. One that needs more memory than there is, is left out.
/// Threads: any.
class Measurements {
 public:
  static constexpr unsigned kPrecisionBits = kStatsPrecisionBits;

  void record(Duration queue_delay, Duration service, std::uint64_t weight) noexcept {
    const std::lock_guard lock(lock_);
    try {
      queue_delay_ns_.record(positive(queue_delay), weight);
      service_ns_.record(positive(service), weight);
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the task goes on
    }
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

  mutable sync::SpinLock lock_;
  stat::Histogram queue_delay_ns_{kPrecisionBits};
  stat::Histogram service_ns_{kPrecisionBits};
};

}  // namespace artel::pool::detail
