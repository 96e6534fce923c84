#include "artel/dispatch/detail/queued_beacons.hpp"

#include <cstdint>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/controller.hpp"

namespace artel::dispatch::detail {

void QueuedBeacons::join(WorkerId id) {
  while (index(id) >= trails_.size()) trails_.emplace_back(*store_);
  Trail& trail = trails_[index(id)];
  trail.reported = sent_;
  trail.committed = 0;
  while (!trail.sent_before.empty()) (void)trail.sent_before.pop();
}

BeaconReport QueuedBeacons::report(WorkerId id, std::uint32_t queued, Instant now) {
  Trail& trail = trails_[index(id)];
  ++trail.reported;
  return {.worker = id,
          .queued = queued,
          .committed = std::exchange(trail.committed, 0),
          .sent = sent_at_,
          .back = now};
}

}  // namespace artel::dispatch::detail
