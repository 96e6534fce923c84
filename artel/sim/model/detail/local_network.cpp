#include "artel/sim/model/detail/local_network.hpp"

#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/network_model.hpp"

namespace artel::sim::detail {

LocalNetwork::LocalNetwork(Duration latency, double bandwidth)
    : latency_(latency), bandwidth_(bandwidth) {
  ARTEL_REQUIRE(latency >= Duration::zero(), "a latency is not negative", latency.count());
  ARTEL_REQUIRE(bandwidth > 0, "a bandwidth is positive", bandwidth);
}

std::optional<Duration> LocalNetwork::begin(Instant now, CarriedId id, const Leg& leg) {
  while (pipes_.size() <= index(leg.from)) pipes_.push_back({.share = FairShare(bandwidth_)});
  ends_.grow_to(pipes_.size());
  Pipe& pipe = pipes_[index(leg.from)];
  const ActivityId activity = pipe.share.add(now, {.volume = leg.bytes});
  const std::size_t slot = FairShare::slot(activity);
  if (pipe.carried.size() <= slot) pipe.carried.resize(slot + 1);
  if (carried_.size() <= index(id)) carried_.resize(index(id) + 1);
  pipe.carried[slot] = id;
  carried_[index(id)] = {leg.from, activity};
  ends_.set(index(leg.from), pipe.share.next_end());
  return kForever;
}

double LocalNetwork::give_up(Instant now, CarriedId id) {
  const Carried& carried = carried_[index(id)];
  FairShare& share = pipes_[index(carried.node)].share;
  const double left = share.remove(now, carried.activity).value_or(0);
  ends_.set(index(carried.node), share.next_end());
  return left;
}

double LocalNetwork::left(Instant now, CarriedId id) {
  const Carried& carried = carried_[index(id)];
  return pipes_[index(carried.node)].share.left(now, carried.activity).value_or(0);
}

std::optional<CarriedId> LocalNetwork::take_ended(Instant now) {
  if (ends_.time() > now) return std::nullopt;
  const std::size_t node = ends_.place();
  Pipe& pipe = pipes_[node];
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): its next end is not after now
  const ActivityId ended = *pipe.share.take_ended(now);
  ends_.set(node, pipe.share.next_end());
  return pipe.carried[FairShare::slot(ended)];
}

}  // namespace artel::sim::detail
