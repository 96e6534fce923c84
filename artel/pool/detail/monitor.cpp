#include "artel/pool/detail/monitor.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/timers.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {
Monitor::Monitor(PoolCore& core, WorkerThreads& threads, Timers& timers)
    : core_(core), threads_(threads), timers_(timers), watched_(core.options.workers_max) {
  const Duration asked = core.options.beacon_every;
  if (const auto* closed_loop = std::get_if<dispatch::ClosedLoop>(&core.options.dispatch)) {
    closed_loop_ = *closed_loop;
    controller_ = std::make_unique<dispatch::Controller>(*closed_loop);
    beacon_every_ = closed_loop->beacon_every;
    rests_when_idle_ = asked == Duration::zero() && !core.guarded;
    core_.choice.on_decision_while_resting([this] { on_decision(); });
  }
  if (asked != Duration::zero()) beacon_every_ = std::min(beacon_every_, asked);
}

Monitor::~Monitor() { stop(); }

Result<void> Monitor::start() { return timers_.add(*this, steady_now()); }

void Monitor::stop() { timers_.cancel_and_wait(*this); }

Instant Monitor::on_time(Instant now) {
  Instant next = threads_.force_leavers(now);
  if (core_.guarded) next = std::min(next, find_stalls(now));
  if (controller_) {
    next = std::min(next, run_closed_loop(now));
  } else if (sends_beacons()) {
    next = std::min(next, send_beacons(now));
  }
  return next;
}

// ---- Beacons and the closed loop

Instant Monitor::run_closed_loop(Instant now) {
  if (std::exchange(rested_, false)) wake_up(now);
  if (now >= beacons_at_) {
    if (may_rest()) {
      rested_ = true;
      return kNever;
    }
    turn_ = core_.choice.turn();
  }
  const Instant next = send_beacons(now);  // before what they say is published
  return std::min(next, publish(now));
}

// Whether to rest from now on: see O1.
bool Monitor::may_rest() {
  if (!rests_when_idle_ || beacons_at_ == Instant{} || core_.choice.turn() != turn_) return false;
  {
    const std::lock_guard lock(lock_);
    if (std::ranges::any_of(watched_, &Watched::beacon_under_way)) return false;
  }
  core_.choice.rest(true);
  if (core_.choice.turn() == turn_) return true;
  core_.choice.rest(false);
  return false;
}

// What was known of the queues is old: they were empty when it went to rest.
void Monitor::wake_up(Instant now) {
  core_.choice.rest(false);
  const std::lock_guard lock(lock_);
  for (const WorkerSlot& slot : core_.queues.slots()) {
    if (watched_[index(slot.id)].member) controller_->join(slot.id, slot.weight, now);
  }
}

// By whoever decides, while it rests.
void Monitor::on_decision() {
  const auto started = start();
  // Without a thread the last distribution stays, and the next decision tries again.
  if (!started && started.error().code == ErrorCode::unsupported) core_.choice.rest(true);
}

Instant Monitor::send_beacons(Instant now) {
  if (now < beacons_at_) return beacons_at_;
  for (WorkerSlot& slot : core_.queues.slots()) {
    {
      const std::lock_guard lock(lock_);
      Watched& watched = watched_[index(slot.id)];
      update_membership(slot, watched, now);
      if (!watched.member || watched.beacon_under_way) continue;
      watched.beacon_under_way = true;
    }
    std::int64_t none = 0;
    slot.beacon_sent_ns.compare_exchange_strong(none, now.time_since_epoch().count());
    Job job(BeaconBody{this, &slot, now});
    if (slot.ring.refill(&job, 1) == 1) {
      core_.wakeups.wake(slot);
    } else {
      const std::lock_guard lock(lock_);
      watched_[index(slot.id)].beacon_under_way = false;
    }
  }
  return beacons_at_ = later(now, beacon_every_);
}

void Monitor::update_membership(WorkerSlot& slot, Watched& watched, Instant now) {
  const bool open = slot.open.load();
  if (open == std::exchange(watched.member, open)) return;
  if (!open) slot.beacon_sent_ns.store(0);
  if (!controller_) return;
  if (open) {
    controller_->join(slot.id, slot.weight, now);
  } else {
    controller_->leave(slot.id);
  }
}

Instant Monitor::publish(Instant now) {
  if (now < publish_at_) return publish_at_;
  dispatch::Shares shares;
  {
    const std::lock_guard lock(lock_);
    shares = controller_->publish(now);
  }
  core_.choice.publish(std::move(shares));
  return publish_at_ = later(now, closed_loop_.publish_every);
}

void Monitor::report(const BeaconBody& beacon) {
  const std::uint64_t ended = beacon.slot->counts.read().ended();
  const std::lock_guard lock(lock_);
  Watched& watched = watched_[index(beacon.slot->id)];
  watched.beacon_under_way = false;
  const std::uint64_t committed = ended - std::exchange(watched.counted, ended);
  if (!watched.member || !controller_) return;
  controller_->report({.worker = beacon.slot->id,
                       .queued = beacon.slot->ring.size_approx(),
                       .committed = committed,
                       .sent = beacon.sent,
                       .back = steady_now()});
}

std::optional<TaskOutcome> Monitor::BeaconBody::run(Runner& /*runner*/) {
  // Taken over by another worker it says nothing about the health of the one it was sent to.
  if (monitor->core_.queues.home_of_this_thread() == slot) {
    const std::int64_t now_ns = steady_now().time_since_epoch().count();
    const std::int64_t seen_ns = slot->beacon_seen_ns.exchange(now_ns);
    if (seen_ns != 0) slot->beacon_gap_ns.store(now_ns - seen_ns);
    slot->beacon_sent_ns.store(0);
  }
  monitor->report(*this);
  return std::nullopt;  // not a task of anybody's: not accounted
}

std::optional<TaskOutcome> Monitor::BeaconBody::drop(Runner& /*runner*/, TaskOutcome /*outcome*/) {
  return std::nullopt;
}

// ---- Stalls

Instant Monitor::find_stalls(Instant now) {
  if (now < stalls_at_) return stalls_at_;
  for (WorkerSlot& slot : core_.queues.slots()) look_at_phase(slot, watched_[index(slot.id)], now);
  constexpr Duration kLookMin = std::chrono::milliseconds(1);
  constexpr Duration kLookMax = std::chrono::seconds(1);
  const Duration limit = std::min(core_.options.stall_after, core_.options.beacon_limit);
  return stalls_at_ = later(now, std::clamp<Duration>(limit / 4, kLookMin, kLookMax));
}

bool Monitor::stalled(const WorkerSlot& slot, const Watched& watched, Instant now) const {
  const PoolOptions& options = core_.options;
  const Duration running = now - watched.since;
  if (running >= options.stall_after) return true;
  const std::int64_t sent_ns = slot.beacon_sent_ns.load();
  return sent_ns != 0 && running >= options.beacon_limit &&
         now - Instant{Duration{sent_ns}} >= options.beacon_limit;
}

void Monitor::look_at_phase(WorkerSlot& slot, Watched& watched, Instant now) {
  const std::uint64_t phase = slot.phase.load();
  if (phase != watched.phase) {
    watched.phase = phase;
    watched.since = now;
    watched.reported = false;
    return;
  }
  const PoolOptions& options = core_.options;
  if (!Phase::running(phase) || watched.reported || !stalled(slot, watched, now)) return;
  const std::int64_t sent_ns = slot.beacon_sent_ns.load();
  const Duration silent = sent_ns != 0 ? now - Instant{Duration{sent_ns}} : Duration::zero();
  const bool replaced = threads_.take_over(slot, phase);
  if (!replaced && slot.phase.load() != phase) return;  // it has just ended
  watched.reported = true;
  if (replaced && sent_ns != 0) slot.beacon_sent_ns.store(now.time_since_epoch().count());
  slot.stalls.fetch_add(1, std::memory_order_relaxed);
  if (options.on_stall) {
    options.on_stall({.worker = slot.id,
                      .running = now - watched.since,
                      .silent = silent,
                      .replaced = replaced});
  }
}

}  // namespace artel::pool::detail
