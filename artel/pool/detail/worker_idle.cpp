// What a worker does without work.
#include <algorithm>
#include <chrono>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/parking.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/wakeups.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/sync/relax.hpp"

namespace artel::pool::detail {

bool Worker::must_leave() const {
  if (!home_.ring.empty() || home_.returning.load() != 0) return false;
  return core_.queues.closed() ? core_.accounts.quiet() : !home_.open.load();
}

bool Worker::sees_work() const {
  if (home_.attention.load() || home_.returning.load() != 0) return true;
  if (core_.queues.paused()) return false;
  if (!home_.ring.empty()) return true;
  if (core_.queues.closed()) return core_.queues.anything_queued();
  if (!home_.open.load()) return false;
  if (core_.queues.common().count() > 0) return true;
  const auto slots = core_.queues.slots();
  return std::any_of(slots.begin(), slots.end(),
                     [this](const WorkerSlot& slot) { return may_steal_from(slot); });
}

// False: it is to leave its slot.
bool Worker::idle() {
  pause_between();
  const Instant since = steady_now();
  home_.begin_idle(since);
  const bool stay = spin(since) || sleep();
  if (!owns_home()) {  // the thread that lent it the slot came back while it slept
    slot_ = nullptr;
    return true;
  }
  fresh_ = true;
  const Duration spell = home_.end_idle(steady_now());
  // Spinning pays if work comes soon, as it did last time.
  spin_ = spell < kSpinMax ? std::clamp(spin_ * 2, kSpinMin, kSpinMax) : spin_ / 2;
  return stay;
}

bool Worker::spin(Instant since) {
  if (!home_.open.load()) return false;  // it may not take what it would wait for
  if (spin_ < kSpinMin || core_.queues.paused() || !core_.wakeups.processor_free()) return false;
  while (steady_now() - since < spin_) {
    for (int i = 0; i < kPauses; ++i) sync::relax();
    if (!home_.ring.empty() || core_.queues.common().count() > 0) return true;
    if (home_.returning.load() != 0) return true;
  }
  return false;
}

bool Worker::sleep() {
  if (core_.wakeups.parking().sleep(*this)) return true;
  if (core_.queues.closed()) core_.wakeups.wake_all();  // those that waited for this one's tasks
  return false;
}

void Worker::before_parking() {
  core_.accounts.look_for_quiescence();
  if (core_.wakeups.room_wanted()) core_.wakeups.wake_admitted();
}

bool Worker::others_awake() const {
  return !core_.queues.paused() && core_.queues.idle().count_approx() < core_.queues.open_count();
}

void Worker::look_at_queues() {
  for (WorkerSlot& slot : core_.queues.slots()) slot.taken_seen = slot.ring.taken_approx();
  common_taken_seen_ = core_.queues.common().taken_approx();
}

// Whether tasks wait somewhere and move no faster than long tasks do. (What was measured may not
// show that yet: tasks may have become longer.)
bool Worker::needs_help(Duration pause) const {
  const auto slow = [pause](std::uint64_t before, std::uint64_t now) {
    return static_cast<std::int64_t>(now - before) * Wakeups::kLong <= pause;
  };
  for (const WorkerSlot& slot : core_.queues.slots()) {
    if (slow(slot.taken_seen, slot.ring.taken_approx()) && !slot.ring.empty()) return true;
  }
  const CommonQueue& common = core_.queues.common();
  return slow(common_taken_seen_, common.taken_approx()) && common.count() > 0;
}

}  // namespace artel::pool::detail
