#include "artel/sim/model/detail/virtual_clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/activity_id.hpp"

namespace artel::sim::detail {
namespace {

// By the time that the clock has advanced by the longest stretch, everything that was there has
// ended: setting it back so many stretches later costs O(1) per activity, and keeps every end exact
// to fifteen digits of the longest stretch.
constexpr double kRebaseAt = 16;

}  // namespace

ActivityId VirtualClock::add(Instant now, double stretch) {
  ARTEL_REQUIRE(stretch >= 0 && std::isfinite(stretch), "a stretch is finite and not negative",
                stretch);
  advance(now);
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.push_back({.id = ActivityId{slots_.size()}});
  }
  Slot& slot = slots_[free_slots_.back()];
  free_slots_.pop_back();
  slot.end = reading_ + stretch;
  slot.live = true;
  longest_ = std::max(longest_, stretch);
  ends_.push_back({slot.end, started_++, slot.id});
  std::push_heap(ends_.begin(), ends_.end(), std::greater<>{});
  ++live_;
  return slot.id;
}

std::optional<double> VirtualClock::remove(Instant now, ActivityId id) {
  if (find(id) == nullptr) return std::nullopt;
  advance(now);
  Slot& slot = slots_[VirtualClock::slot(id)];
  const double left = std::max(0.0, slot.end - reading_);
  retire(slot);
  drop_removed_ends();
  return left;
}

std::optional<double> VirtualClock::left(Instant now, ActivityId id) const {
  const Slot* slot = find(id);
  if (slot == nullptr) return std::nullopt;
  return std::max(0.0, slot->end - reading_at(now));
}

void VirtualClock::set_rate(Instant now, double rate) {
  ARTEL_REQUIRE(rate >= 0 && std::isfinite(rate), "a rate is finite and not negative", rate);
  advance(now);
  rate_ = rate;
}

Instant VirtualClock::next_end() const {
  if (live_ == 0) return kNever;
  const double to_go = ends_.front().at - reading_;
  if (to_go <= 0) return updated_;
  if (rate_ <= 0) return kNever;
  return later(updated_, from_seconds(to_go / rate_));
}

std::optional<ActivityId> VirtualClock::take_ended(Instant now) {
  if (next_end() > now) return std::nullopt;
  const ActivityId id = ends_.front().id;
  advance(now);
  retire(slots_[slot(id)]);
  drop_removed_ends();
  return id;
}

const VirtualClock::Slot* VirtualClock::find(ActivityId id) const {
  const std::size_t number = slot(id);
  if (number >= slots_.size()) return nullptr;
  const Slot& found = slots_[number];
  return found.live && found.id == id ? &found : nullptr;
}

double VirtualClock::reading_at(Instant now) const {
  ARTEL_REQUIRE(now >= updated_, "time does not go back", now.time_since_epoch().count(),
                updated_.time_since_epoch().count());
  return reading_ + rate_ * to_seconds(now - updated_);
}

void VirtualClock::advance(Instant now) {
  reading_ = live_ == 0 ? 0 : reading_at(now);
  updated_ = now;
  if (reading_ > kRebaseAt * longest_) rebase();
}

// Ends an activity; the next use of its slot gets another id.
void VirtualClock::retire(Slot& slot) {
  slot.live = false;
  slot.id = ActivityId{static_cast<std::uint64_t>(slot.id) + kSlotMask + 1};
  free_slots_.push_back(static_cast<std::uint32_t>(VirtualClock::slot(slot.id)));
  if (--live_ > 0) return;
  reading_ = 0;  // nothing is measured on the clock any more: start afresh, without rounding
  longest_ = 0;
}

// Keeps the heap's top live, and the heap at most half full of what was removed.
void VirtualClock::drop_removed_ends() {
  const auto removed = [this](const ActivityEnd& end) { return find(end.id) == nullptr; };
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

// Sets the clock back to zero. O(n), once in kRebaseAt longest stretches at most.
void VirtualClock::rebase() {
  longest_ = 0;
  for (ActivityEnd& end : ends_) {
    end.at -= reading_;
    Slot& slot = slots_[VirtualClock::slot(end.id)];
    if (!slot.live || slot.id != end.id) continue;
    slot.end = end.at;
    longest_ = std::max(longest_, end.at);
  }
  std::make_heap(ends_.begin(), ends_.end(), std::greater<>{});  // rounding may have made ties
  reading_ = 0;
}

}  // namespace artel::sim::detail
