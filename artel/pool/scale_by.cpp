#include "artel/pool/scale_by.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::pool {
namespace {

constexpr int kLooks = 10;  // in a period

// What has been counted since the pool was made.
struct Totals {
  Instant at{};
  double arrived = 0;
  double ended = 0;
  double measured = 0;   // tasks whose service time is known, and those that they stand for
  double service_s = 0;  // of these, together
  double busy_s = 0;
};

Totals totals_of(const PoolStats& stats, Instant now) {
  const auto& service = stats.total.service_ns;
  const auto measured = static_cast<double>(service.count());
  return {.at = now,
          .arrived = static_cast<double>(stats.accepted),
          .ended = static_cast<double>(stats.total.outcomes.ended()),
          .measured = measured,
          .service_s = service.empty() ? 0 : 1e-9 * service.mean() * measured,
          .busy_s = to_seconds(stats.total.busy_time)};
}

}  // namespace

class PoolScaling::Loop {
 public:
  Loop(Pool& pool, scaling::ScalingPolicy policy, dispatch::SizeLimits limits,
       std::function<void(const scaling::FleetSample&, unsigned)> on_decision)
      : pool_(pool),
        scaler_(std::move(policy), limits),
        on_decision_(std::move(on_decision)),
        start_(steady_now()),
        before_(totals_of(pool.stats(), start_)),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

 private:
  void run(const std::stop_token& stop) {
    const auto pause = scaling::period(scaler_.policy()) / kLooks;
    for (auto due = start_ + pause; sleep_until(due, stop); due += pause) {
      look();
      if (looks_ == kLooks) decide();
    }
  }

  // False: it is to end.
  bool sleep_until(Instant due, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, due - steady_now(), [] { return false; });
    return !stop.stop_requested();
  }

  void look() {
    const auto stats = pool_.stats();
    now_ = totals_of(stats, steady_now());
    ++looks_;
    in_system_ += std::max(0.0, now_.arrived - now_.ended);
    waiting_ = static_cast<double>(stats.total.queued);
  }

  void decide() {
    const double seconds = std::max(1e-9, to_seconds(now_.at - before_.at));
    scaling::FleetSample sample{.at = Instant{now_.at - start_},
                                .workers = pool_.size(),
                                .ready = pool_.size(),
                                // Workers that went take what they did with them.
                                .in_service = std::max(0.0, now_.busy_s - before_.busy_s) / seconds,
                                .in_system = in_system_ / looks_,
                                .waiting = waiting_,
                                .arrivals = (now_.arrived - before_.arrived) / seconds};
    if (now_.measured > before_.measured) {
      sample.service_s = (now_.service_s - before_.service_s) / (now_.measured - before_.measured);
    }
    before_ = now_;
    in_system_ = 0;
    looks_ = 0;
    const auto size = scaler_.size_for(sample);
    // In vain while those that leave are still there.
    if (size != sample.workers) static_cast<void>(pool_.resize(size));
    if (on_decision_) on_decision_(sample, size);
  }

  Pool& pool_;
  scaling::Scaler scaler_;
  std::function<void(const scaling::FleetSample&, unsigned)> on_decision_;
  Instant start_;
  Totals before_;  // at the last decision
  Totals now_{};
  int looks_ = 0;
  double in_system_ = 0;  // sum over the looks
  double waiting_ = 0;
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
                fmt::format("the pool always has {} workers; give it workers_min and workers_max",
                            limits.max));
  }
  try {
    return PoolScaling(std::make_unique<PoolScaling::Loop>(pool, std::move(policy), limits,
                                                           std::move(on_decision)));
  } catch (const std::system_error& failure) {
    return fail(ErrorCode::unsupported, fmt::format("no thread: {}", failure.what()));
  }
}

}  // namespace artel::pool
