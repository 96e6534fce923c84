#pragma once

#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/earliest.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim::detail {

/// Transfers inside nodes: each node has a pipe of its own, shared by what goes on in it.
class LocalNetwork final : public NetworkModel {
 public:
  /// Bytes per second and node, > 0.
  LocalNetwork(Duration latency, double bandwidth);

  [[nodiscard]] std::optional<Duration> latency(NodeId, NodeId) override { return latency_; }
  std::optional<Duration> begin(Instant now, CarriedId id, const Leg& leg) override;
  double give_up(Instant now, CarriedId id) override;
  [[nodiscard]] double left(Instant now, CarriedId id) override;
  [[nodiscard]] Instant next_end() override { return ends_.time(); }
  std::optional<CarriedId> take_ended(Instant now) override;

 private:
  struct Pipe {
    FairShare share;
    std::vector<CarriedId> carried;  // by the activity's slot
  };
  struct Carried {
    NodeId node{};
    ActivityId activity{};
  };

  Duration latency_;
  double bandwidth_;
  std::vector<Pipe> pipes_;       // by node
  std::vector<Carried> carried_;  // by CarriedId
  Earliest ends_;                 // by node
};

}  // namespace artel::sim::detail
