#include "artel/sim/model/fair_share.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"

namespace artel::sim {

ActivityId FairShare::add(Instant now, const Activity& activity) {
  ARTEL_REQUIRE(activity.volume >= 0 && std::isfinite(activity.volume),
                "a volume is finite and not negative", activity.volume);
  ARTEL_REQUIRE(activity.weight > 0 && std::isfinite(activity.weight), "a weight is positive",
                activity.weight);
  ARTEL_REQUIRE(activity.factor > 0 && std::isfinite(activity.factor), "a factor is positive",
                activity.factor);
  const ActivityId id = clock_.add(now, activity.volume / (activity.weight * activity.factor));
  if (terms_.size() <= slot(id)) terms_.resize(slot(id) + 1);
  terms_[slot(id)] = {activity.weight, activity.factor};
  weights_ += activity.weight;
  change_rate(now);
  return id;
}

std::optional<double> FairShare::remove(Instant now, ActivityId id) {
  const std::optional<double> stretch = clock_.remove(now, id);
  if (!stretch) return std::nullopt;
  forget(now, id);
  const Terms& terms = terms_[slot(id)];
  return *stretch * (terms.weight * terms.factor);
}

std::optional<double> FairShare::left(Instant now, ActivityId id) const {
  const std::optional<double> stretch = clock_.left(now, id);
  if (!stretch) return std::nullopt;
  const Terms& terms = terms_[slot(id)];
  return *stretch * (terms.weight * terms.factor);
}

void FairShare::set_capacity(Instant now, Capacity capacity) {
  capacity_ = std::move(capacity);
  change_rate(now);
}

std::optional<ActivityId> FairShare::take_ended(Instant now) {
  const std::optional<ActivityId> id = clock_.take_ended(now);
  if (id) forget(now, *id);
  return id;
}

void FairShare::forget(Instant now, ActivityId id) {
  weights_ = size() == 0 ? 0 : weights_ - terms_[slot(id)].weight;
  change_rate(now);
}

void FairShare::change_rate(Instant now) {
  if (size() == 0) return;
  const double capacity = capacity_(size());
  ARTEL_REQUIRE(capacity >= 0 && std::isfinite(capacity), "a capacity is finite and not negative",
                capacity, size());
  clock_.set_rate(now, capacity / weights_);
}

}  // namespace artel::sim
