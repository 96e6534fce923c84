#include "artel/sim/model/shared_network.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/network_model.hpp"

namespace artel::sim {

SharedNetwork::SharedNetwork(Duration latency, double bandwidth)
    : latency_(latency), pipe_(bandwidth) {
  ARTEL_REQUIRE(latency >= Duration::zero(), "a latency is not negative", latency.count());
  ARTEL_REQUIRE(bandwidth > 0 && std::isfinite(bandwidth), "a bandwidth is positive and finite",
                bandwidth);
}

SharedNetwork::SharedNetwork(Duration latency, FairShare::Capacity bandwidth)
    : latency_(latency), pipe_(std::move(bandwidth)) {
  ARTEL_REQUIRE(latency >= Duration::zero(), "a latency is not negative", latency.count());
}

std::optional<Duration> SharedNetwork::begin(Instant now, CarriedId id, const Leg& leg) {
  const ActivityId activity = pipe_.add(now, {.volume = leg.bytes});
  const std::size_t slot = FairShare::slot(activity);
  if (activities_.size() <= index(id)) activities_.resize(index(id) + 1);
  if (carried_.size() <= slot) carried_.resize(slot + 1);
  activities_[index(id)] = activity;
  carried_[slot] = id;
  return kForever;
}

double SharedNetwork::give_up(Instant now, CarriedId id) {
  return pipe_.remove(now, activities_[index(id)]).value_or(0);
}

double SharedNetwork::left(Instant now, CarriedId id) {
  return pipe_.left(now, activities_[index(id)]).value_or(0);
}

std::optional<CarriedId> SharedNetwork::take_ended(Instant now) {
  const std::optional<ActivityId> ended = pipe_.take_ended(now);
  if (!ended) return std::nullopt;
  return carried_[FairShare::slot(*ended)];
}

}  // namespace artel::sim
