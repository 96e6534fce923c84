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
  if (index(id) >= trails_.size()) trails_.resize(index(id) + 1);
  trails_[index(id)] = Trail{};
}

std::optional<BeaconReport> QueuedBeacons::send(WorkerId id, std::size_t waiting, bool running,
                                                Instant now) {
  Trail& trail = trails_[index(id)];
  if (waiting > 0 || running) {
    trail.beacons.push_back(SentBeacon{trail.taken + waiting, now});
    return std::nullopt;
  }
  return BeaconReport{.worker = id,
                      .queued = 0,
                      .committed = std::exchange(trail.committed, 0),
                      .sent = now,
                      .back = now};
}

std::optional<BeaconReport> QueuedBeacons::reached(WorkerId id, std::uint32_t queued, Instant now) {
  Trail& trail = trails_[index(id)];
  if (trail.beacons.empty() || trail.beacons.front().behind > trail.taken) return std::nullopt;
  const Instant sent = trail.beacons.front().sent;
  trail.beacons.pop_front();
  return BeaconReport{.worker = id,
                      .queued = queued,
                      .committed = std::exchange(trail.committed, 0),
                      .sent = sent,
                      .back = now};
}

}  // namespace artel::dispatch::detail
