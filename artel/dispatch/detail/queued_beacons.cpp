#include "artel/dispatch/detail/queued_beacons.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/controller.hpp"

namespace artel::dispatch::detail {

void QueuedBeacons::join(WorkerId id) {
  while (index(id) >= trails_.size()) trails_.emplace_back(*store_);
  Trail& trail = trails_[index(id)];
  trail.taken = trail.committed = 0;
  trail.next_behind = kNone;
  while (!trail.beacons.empty()) (void)trail.beacons.pop();
}

std::optional<BeaconReport> QueuedBeacons::send(WorkerId id, std::size_t waiting, bool running,
                                                Instant now) {
  Trail& trail = trails_[index(id)];
  if (waiting > 0 || running) {
    if (trail.beacons.empty()) trail.next_behind = trail.taken + waiting;
    trail.beacons.push(SentBeacon{trail.taken + waiting, now});
    return std::nullopt;
  }
  return BeaconReport{.worker = id,
                      .queued = 0,
                      .committed = std::exchange(trail.committed, 0),
                      .sent = now,
                      .back = now};
}

BeaconReport QueuedBeacons::take_first(WorkerId id, std::uint32_t queued, Instant now) {
  Trail& trail = trails_[index(id)];
  const Instant sent = trail.beacons.pop().sent;
  trail.next_behind = trail.beacons.empty() ? kNone : trail.beacons.front().behind;
  return BeaconReport{.worker = id,
                      .queued = queued,
                      .committed = std::exchange(trail.committed, 0),
                      .sent = sent,
                      .back = now};
}

}  // namespace artel::dispatch::detail
