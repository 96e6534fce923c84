#include "artel/sim/model/detail/bounded_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/activity_id.hpp"

namespace artel::sim::detail {

ActivityId BoundedShare::add(Instant now, const Activity& activity) {
  ARTEL_REQUIRE(activity.volume >= 0 && std::isfinite(activity.volume),
                "a volume is finite and not negative", activity.volume);
  ARTEL_REQUIRE(activity.weight > 0 && std::isfinite(activity.weight), "a weight is positive",
                activity.weight);
  ARTEL_REQUIRE(activity.bound > 0, "a bound is positive", activity.bound);
  advance(now);
  auto place = std::find_if(slots_.begin(), slots_.end(),
                            [](const Slot& slot) { return slot.started == 0; });
  if (place == slots_.end()) place = slots_.insert(place, Slot{});
  *place = {.left = activity.volume,
            .weight = activity.weight,
            .bound = activity.bound,
            .started = ++started_};
  solve();
  return ActivityId{static_cast<std::uint64_t>(place - slots_.begin())};
}

double BoundedShare::remove(Instant now, ActivityId id) {
  advance(now);
  const double left = slots_[slot(id)].left;
  slots_[slot(id)] = {};
  solve();
  return left;
}

double BoundedShare::left(Instant now, ActivityId id) const {
  const Slot& of = slots_[slot(id)];
  return std::max(0.0, of.left - of.rate * to_seconds(now - updated_));
}

double BoundedShare::total_rate() const {
  double sum = 0;
  for (const Slot& slot : slots_) sum += slot.rate;
  return sum;
}

void BoundedShare::set_capacity(Instant now, double capacity, double each_max) {
  advance(now);
  capacity_ = capacity;
  each_max_ = each_max;
  solve();
}

std::optional<ActivityId> BoundedShare::take_ended(Instant now) {
  if (next_end_ > now) return std::nullopt;
  const ActivityId id{next_};
  remove(now, id);
  return id;
}

void BoundedShare::advance(Instant now) {
  const double seconds = to_seconds(now - updated_);
  for (Slot& slot : slots_) slot.left = std::max(0.0, slot.left - slot.rate * seconds);
  updated_ = now;
}

double BoundedShare::most(const Slot& slot) const { return std::min(slot.bound, each_max_); }

/// All rates rise together, each in proportion to its weight, until one is at its bound: it stays
/// there, the others share what is left.
void BoundedShare::solve() {
  rising_.clear();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].started == 0) continue;
    rising_.push_back(i);
  }
  std::sort(rising_.begin(), rising_.end(), [this](std::size_t a, std::size_t b) {
    const auto key = [this](std::size_t i) {
      return std::tuple(most(slots_[i]) / slots_[i].weight, slots_[i].started);
    };
    return key(a) < key(b);
  });
  double weights = 0;  // summed from the back: what is taken away again would leave rounding errors
  for (auto i = rising_.rbegin(); i != rising_.rend(); ++i) {
    weights += slots_[*i].weight;
    slots_[*i].weights_from = weights;
  }
  double capacity = capacity_;
  next_end_ = kNever;
  std::uint64_t first = 0;
  for (const std::size_t i : rising_) {
    Slot& slot = slots_[i];
    slot.rate = std::min(most(slot), capacity * (slot.weight / slot.weights_from));
    capacity -= slot.rate;
    const Instant end = slot.left <= 0   ? updated_
                        : slot.rate <= 0 ? kNever
                                         : later(updated_, from_seconds(slot.left / slot.rate));
    if (end < next_end_ || (end == next_end_ && end != kNever && slot.started < first)) {
      next_end_ = end;
      next_ = i;
      first = slot.started;
    }
  }
}

}  // namespace artel::sim::detail
