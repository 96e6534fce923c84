#pragma once

#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {

/// One pipe that all transfers share fairly: a bus, a radio cell, the uplink of a site.
/// Cost: O(log n) per transfer among n.
class SharedNetwork final : public NetworkModel {
 public:
  /// Bytes per second in all, > 0, finite.
  SharedNetwork(Duration latency, double bandwidth);
  /// Bytes per second in all as a function of the number of transfers.
  SharedNetwork(Duration latency, FairShare::Capacity bandwidth);

  [[nodiscard]] std::optional<Duration> latency(NodeId, NodeId) override { return latency_; }
  std::optional<Duration> begin(Instant now, CarriedId id, const Leg& leg) override;
  double give_up(Instant now, CarriedId id) override;
  [[nodiscard]] double left(Instant now, CarriedId id) override;
  [[nodiscard]] Instant next_end() override { return pipe_.next_end(); }
  std::optional<CarriedId> take_ended(Instant now) override;

 private:
  Duration latency_;
  FairShare pipe_;
  std::vector<ActivityId> activities_;  // by CarriedId
  std::vector<CarriedId> carried_;      // by the activity's slot
};

}  // namespace artel::sim
