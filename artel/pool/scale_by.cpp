#include "artel/pool/scale_by.hpp"

#include <fmt/core.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/scaling/fleet_meter.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::pool {
namespace {

constexpr int kLooks = 10;  // in a period

scaling::FleetLook look_at(const Pool& pool) {
  const auto stats = pool.stats();
  const auto& service = stats.total.service_ns;
  const auto accepted = static_cast<double>(stats.accepted);
  const auto measured = static_cast<double>(service.count());  // and those that they stand for
  return {.at = steady_now(),
          .in_system = accepted - static_cast<double>(stats.total.outcomes.ended()),
          .waiting = static_cast<double>(stats.total.queued),
          .arrived = accepted,
          .busy_s = to_seconds(stats.total.busy_time),
          .measured = measured,
          .service_s = service.empty() ? 0 : 1e-9 * service.mean() * measured};
}

}  // namespace

class PoolScaling::Loop {
 public:
  Loop(Pool& pool, scaling::ScalingPolicy policy, dispatch::SizeLimits limits,
       std::function<void(const scaling::FleetSample&, unsigned)> on_decision)
      : pool_(pool),
        scaler_(std::move(policy), limits),
        on_decision_(std::move(on_decision)),
        meter_(look_at(pool)),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

 private:
  void run(const std::stop_token& stop) {
    const auto pause = scaling::period(scaler_.policy()) / kLooks;
    for (auto due = steady_now() + pause; sleep_until(due, stop); due += pause) {
      meter_.look(look_at(pool_));
      if (meter_.looks() == kLooks) decide();
    }
  }

  // False: it is to end.
  bool sleep_until(Instant due, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, due - steady_now(), [] { return false; });
    return !stop.stop_requested();
  }

  void decide() {
    auto sample = meter_.sample();
    sample.workers = sample.ready = pool_.size();
    const auto size = scaler_.size_for(sample);
    // In vain while those that leave are still there.
    if (size != sample.workers) static_cast<void>(pool_.resize(size));
    if (on_decision_) on_decision_(sample, size);
  }

  Pool& pool_;
  scaling::Scaler scaler_;
  std::function<void(const scaling::FleetSample&, unsigned)> on_decision_;
  scaling::FleetMeter meter_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // the last: it uses all others
};

PoolScaling::PoolScaling(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
PoolScaling::PoolScaling(PoolScaling&&) noexcept = default;
PoolScaling& PoolScaling::operator=(PoolScaling&&) noexcept = default;
PoolScaling::~PoolScaling() = default;

Result<PoolScaling> scale_by(
    Pool& pool, scaling::ScalingPolicy policy,
    std::function<void(const scaling::FleetSample&, unsigned size)> on_decision) {
  const auto& options = pool.options();
  const dispatch::SizeLimits limits{options.workers_min, options.workers_max};
  if (const auto good = scaling::check(policy, limits); !good) return fail(good);
  if (limits.min == limits.max) {
    return fail(ErrorCode::invalid,
                fmt::format("the pool always has {}; give it workers_min and workers_max",
                            how_many(limits.max, "worker")));
  }
  try {
    return PoolScaling(std::make_unique<PoolScaling::Loop>(pool, std::move(policy), limits,
                                                           std::move(on_decision)));
  } catch (const std::system_error& failure) {
    return fail(ErrorCode::unsupported, fmt::format("no thread: {}", failure.what()));
  }
}

}  // namespace artel::pool
