#pragma once

#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/flow_set.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {

/// Transfers over the links of a Topology, at max-min fair rates. Latency is that of the route. A
/// transfer keeps the route it began with, and is cut when a link of it goes down.
class RoutedNetwork final : public NetworkModel {
 public:
  explicit RoutedNetwork(Topology topology);

  [[nodiscard]] std::optional<Duration> latency(NodeId from, NodeId to) override;
  std::optional<Duration> begin(Instant now, CarriedId id, const Leg& leg) override;
  double give_up(Instant now, CarriedId id) override;
  [[nodiscard]] double left(Instant now, CarriedId id) override;
  [[nodiscard]] Instant next_end() override { return flows_.next_end(); }
  std::optional<CarriedId> take_ended(Instant now) override;
  [[nodiscard]] bool settles_in_batches() const override { return true; }
  void set_up(Instant now, LinkId link, bool up, std::vector<CarriedId>& cut) override;
  void set_bandwidth(Instant now, LinkId link, double bandwidth) override;

  /// The links that it goes over.
  [[nodiscard]] const Topology& topology() const { return topology_; }

 private:
  Topology topology_;
  FlowSet flows_;
  std::vector<FlowId> flow_of_;     // by CarriedId
  std::vector<CarriedId> carried_;  // by flow
};

}  // namespace artel::sim
