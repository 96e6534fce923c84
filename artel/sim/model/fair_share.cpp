#include "artel/sim/model/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "artel/error/contract.hpp"

namespace artel::sim {
namespace {

// Doubles keep 15 digits: with the clock below a million times the longest stretch, an end is exact
// to a billionth of that stretch.
constexpr double kRebaseAt = 1e6;

}  // namespace

ActivityId FairShare::add(Instant now, const Activity& activity) {
  ARTEL_REQUIRE(activity.volume >= 0 && std::isfinite(activity.volume),
                "a volume is finite and not negative", activity.volume);
  ARTEL_REQUIRE(activity.weight > 0 && std::isfinite(activity.weight), "a weight is positive",
                activity.weight);
  ARTEL_REQUIRE(activity.factor > 0 && std::isfinite(activity.factor), "a factor is positive",
                activity.factor);
  advance(now);
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.push_back({.id = ActivityId{slots_.size()}});
  }
  Slot& slot = slots_[free_slots_.back()];
  free_slots_.pop_back();

  const double scale = activity.weight * activity.factor;
  const double stretch = activity.volume / scale;
  slot.end = clock_ + stretch;
  slot.scale = scale;
  slot.weight = activity.weight;
  slot.live = true;
  longest_ = std::max(longest_, stretch);
  ends_.push_back({slot.end, started_++, slot.id});
  std::push_heap(ends_.begin(), ends_.end(), std::greater<>{});
  ++live_;
  weights_ += activity.weight;
  change_rate();
  return slot.id;
}

std::optional<double> FairShare::remove(Instant now, ActivityId id) {
  if (find(id) == nullptr) return std::nullopt;
  advance(now);
  Slot& slot = slots_[FairShare::slot(id)];
  const double left = std::max(0.0, (slot.end - clock_) * slot.scale);
  retire(slot);
  drop_removed_ends();
  return left;
}

std::optional<double> FairShare::left(Instant now, ActivityId id) const {
  const Slot* slot = find(id);
  if (slot == nullptr) return std::nullopt;
  return std::max(0.0, (slot->end - clock_at(now)) * slot->scale);
}

void FairShare::set_capacity(Instant now, Capacity capacity) {
  advance(now);
  capacity_ = std::move(capacity);
  change_rate();
}

Instant FairShare::next_end() const {
  if (live_ == 0) return kNever;
  const double to_go = ends_.front().at - clock_;
  if (to_go <= 0) return updated_;
  if (rate_ <= 0) return kNever;
  return later(updated_, from_seconds(to_go / rate_));
}

std::optional<ActivityId> FairShare::take_ended(Instant now) {
  if (next_end() > now) return std::nullopt;
  const ActivityId id = ends_.front().id;
  advance(now);
  retire(slots_[slot(id)]);
  drop_removed_ends();
  return id;
}

const FairShare::Slot* FairShare::find(ActivityId id) const {
  const std::size_t number = slot(id);
  if (number >= slots_.size()) return nullptr;
  const Slot& found = slots_[number];
  return found.live && found.id == id ? &found : nullptr;
}

double FairShare::clock_at(Instant now) const {
  ARTEL_REQUIRE(now >= updated_, "time does not go back", now.time_since_epoch().count(),
                updated_.time_since_epoch().count());
  return clock_ + rate_ * to_seconds(now - updated_);
}

void FairShare::advance(Instant now) {
  clock_ = clock_at(now);
  updated_ = now;
  if (clock_ > kRebaseAt * longest_) rebase();
}

// Ends an activity; the next use of its slot gets another id.
void FairShare::retire(Slot& slot) {
  slot.live = false;
  slot.id = ActivityId{static_cast<std::uint64_t>(slot.id) + kSlotMask + 1};
  free_slots_.push_back(static_cast<std::uint32_t>(FairShare::slot(slot.id)));
  --live_;
  weights_ -= slot.weight;
  if (live_ == 0) {  // nothing is measured on the clock any more: start afresh, without rounding
    weights_ = 0;
    clock_ = 0;
    longest_ = 0;
  }
  change_rate();
}

void FairShare::change_rate() {
  if (live_ == 0) {
    rate_ = 0;
    return;
  }
  const double capacity = capacity_(live_);
  ARTEL_REQUIRE(capacity >= 0 && std::isfinite(capacity), "a capacity is finite and not negative",
                capacity, live_);
  rate_ = capacity / weights_;
}

// Keeps the heap's top live, and the heap at most half full of what was removed.
void FairShare::drop_removed_ends() {
  const auto removed = [this](const End& end) { return find(end.id) == nullptr; };
  if (ends_.size() > 2 * live_ + 16) {
    std::erase_if(ends_, removed);
    std::make_heap(ends_.begin(), ends_.end(), std::greater<>{});
    return;
  }
  while (!ends_.empty() && removed(ends_.front())) {
    std::pop_heap(ends_.begin(), ends_.end(), std::greater<>{});
    ends_.pop_back();
  }
}

// Sets the virtual clock back to zero. O(n), at most once in kRebaseAt of the longest stretch.
void FairShare::rebase() {
  longest_ = 0;
  for (Slot& slot : slots_) {
    if (!slot.live) continue;
    slot.end -= clock_;
    longest_ = std::max(longest_, slot.end);
  }
  for (End& end : ends_) end.at -= clock_;
  clock_ = 0;
}

}  // namespace artel::sim
