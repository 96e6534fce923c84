#include "artel/dispatch/detail/work_left.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace artel::dispatch::detail {
namespace {

/// Hints beyond this say nothing more; keeps sums within a Duration.
constexpr Duration kHintMax = std::chrono::days(30);
/// What a task without a hint counts as: without any hints, work left orders like queue lengths.
constexpr Duration kHintMin{1};

Duration bounded(Duration hint) { return std::clamp(hint, kHintMin, kHintMax); }

template <class Heap>
void take_out(Heap& heap, WorkerId id) {
  if (heap.contains(id)) heap.remove(id);
}

template <class Heap, class Key>
void put_in(Heap& heap, WorkerId id, Key key) {
  if (heap.contains(id)) {
    heap.update(id, key);
  } else {
    heap.push(id, key);
  }
}

}  // namespace

void WorkLeft::resize(std::size_t workers) { remaining_.resize(workers); }

void WorkLeft::advance(Instant now) {
  now_ = std::max(now_, now);
  settle();
}

void WorkLeft::add_waiting(WorkerId id, Duration hint) {
  remaining_[index(id)].waiting += bounded(hint);
  rekey(id);
}

void WorkLeft::remove_waiting(WorkerId id, Duration hint) {
  remaining_[index(id)].waiting -= bounded(hint);
  rekey(id);
}

void WorkLeft::start(WorkerId id, Duration hint) {
  Remaining& worker = remaining_[index(id)];
  worker.waiting -= bounded(hint);
  worker.end = later(now_, at_speed(bounded(hint), worker.speed));
  rekey(id);
}

void WorkLeft::finish(WorkerId id) {
  remaining_[index(id)].end = Instant::min();
  rekey(id);
}

void WorkLeft::set_waiting(WorkerId id, Duration work) {
  Remaining& worker = remaining_[index(id)];
  worker.waiting = work;
  worker.end = Instant::min();
  rekey(id);
}

void WorkLeft::set_speed(WorkerId id, float speed) {
  remaining_[index(id)].speed = speed;
  rekey(id);
}

void WorkLeft::set_open(WorkerId id, bool open) {
  if (remaining_[index(id)].open == open) return;
  remaining_[index(id)].open = open;
  rekey(id);
}

Duration WorkLeft::left(WorkerId id) const {
  const Remaining& worker = remaining_[index(id)];
  const Duration waiting = at_speed(worker.waiting, worker.speed);
  return worker.end > now_ ? worker.end - now_ + waiting : waiting;
}

std::optional<WorkerId> WorkLeft::least() const {
  if (running_.empty() && overdue_.empty()) return std::nullopt;
  if (running_.empty()) return overdue_.top().id;
  if (overdue_.empty()) return running_.top().id;
  const Duration running = running_.top().key - now_;
  const Duration overdue = overdue_.top().key;
  if (running == overdue) return std::min(running_.top().id, overdue_.top().id);
  return running < overdue ? running_.top().id : overdue_.top().id;
}

Duration WorkLeft::at_speed(Duration hint, float speed) {
  if (speed == 1.0F) return hint;
  return Duration{std::llround(static_cast<double>(hint.count()) / speed)};
}

void WorkLeft::rekey(WorkerId id) {
  place(id);
  settle();
}

// The first of those within their hint has to be: whoever was before it may have gone.
void WorkLeft::settle() {
  while (!running_.empty() && remaining_[index(running_.top().id)].end <= now_)
    place(running_.top().id);
}

void WorkLeft::place(WorkerId id) {
  const Remaining& worker = remaining_[index(id)];
  const bool in_time = worker.end > now_;
  if (!worker.open || !in_time) take_out(running_, id);
  if (!worker.open || in_time) take_out(overdue_, id);
  if (!worker.open) return;
  const Duration waiting = at_speed(worker.waiting, worker.speed);
  if (in_time) {
    put_in(running_, id, later(worker.end, waiting));
  } else {
    put_in(overdue_, id, waiting);
  }
}

}  // namespace artel::dispatch::detail
