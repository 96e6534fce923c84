#include "artel/dispatch/detail/beacon_loop.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/controller.hpp"

namespace artel::dispatch::detail {

void BeaconLoop::join(WorkerId id, float weight, Instant now) {
  if (index(id) >= trails_.size()) trails_.resize(index(id) + 1);
  trails_[index(id)] = Trail{};
  controller_.join(id, weight, now);
  members_changed_ = now;
}

void BeaconLoop::leave(WorkerId id, Instant now) {
  controller_.leave(id);
  members_changed_ = now;
}

void BeaconLoop::send(WorkerId id, std::size_t waiting, bool running, Instant now) {
  Trail& trail = trails_[index(id)];
  if (waiting == 0 && !running) {
    reached(id, 0, now, now);
  } else {
    trail.beacons.push_back(Beacon{trail.taken + waiting, now});
  }
}

void BeaconLoop::finished(WorkerId id, std::uint32_t queued, Instant now) {
  Trail& trail = trails_[index(id)];
  ++trail.committed;
  while (!trail.beacons.empty() && trail.beacons.front().behind <= trail.taken) {
    reached(id, queued, trail.beacons.front().sent, now);
    trail.beacons.pop_front();
  }
}

void BeaconLoop::publish(Instant now) {
  shares_ = controller_.publish(now);
  members_changed_.reset();
}

void BeaconLoop::reached(WorkerId id, std::uint32_t queued, Instant sent, Instant now) {
  controller_.report({.worker = id,
                      .queued = queued,
                      .committed = std::exchange(trails_[index(id)].committed, 0),
                      .sent = sent,
                      .back = now});
}

}  // namespace artel::dispatch::detail
