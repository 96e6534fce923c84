#pragma once

#include <algorithm>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {

/// Every transfer takes latency + bytes / bandwidth, however many there are: a network that is
/// never full. The cheapest one.
class ConstantNetwork final : public NetworkModel {
 public:
  /// Bytes per second, > 0; infinity: no time at all.
  ConstantNetwork(Duration latency, double bandwidth);

  [[nodiscard]] std::optional<Duration> latency(NodeId, NodeId) override { return latency_; }
  std::optional<Duration> begin(Instant, CarriedId, const Leg& leg) override {
    constexpr Duration kLongest = kForever - Duration{1};  // kForever would be: somebody tells
    return std::min(from_seconds(leg.bytes / bandwidth_), kLongest);
  }
  double give_up(Instant now, CarriedId id) override;
  [[nodiscard]] double left(Instant now, CarriedId id) override;

 private:
  Duration latency_;
  double bandwidth_;
};

}  // namespace artel::sim
