#include "artel/fleet/detail/fleet_beacons.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::fleet::detail {

void FleetBeacons::join(WorkerId id) {
  while (index(id) >= trails_.size()) trails_.emplace_back(*store_);
  Trail& trail = trails_[index(id)];
  trail.reported = sent_;
  trail.committed = 0;
  trail.running.reset();
  while (!trail.sent_before.empty()) (void)trail.sent_before.pop();
}

void FleetBeacons::send(Instant now) {
  ++sent_;
  sent_at_ = now;
  for (std::size_t w = 0; w < trails_.size(); ++w) {
    const auto id = dispatch::worker(w);
    if (table_.loads().queued(id) == 0 && table_.members().working(id))
      table_.report(report(id, 0, now));
  }
}

void FleetBeacons::refresh(const dispatch::LoadArray& loads, Instant now) {
  sent_at_ = now;
  for (std::size_t w = 0; w < trails_.size(); ++w) {
    const auto id = dispatch::worker(w);
    table_.report(report(id, loads.load(id).queued, now));
    trails_[w].reported = sent_;
  }
  table_.publish(now);
}

dispatch::BeaconReport FleetBeacons::report(WorkerId id, std::uint32_t queued, Instant now) {
  Trail& trail = trails_[index(id)];
  ++trail.reported;
  return {.worker = id,
          .queued = queued,
          .committed = std::exchange(trail.committed, 0),
          .sent = sent_at_,
          .back = now};
}

}  // namespace artel::fleet::detail
