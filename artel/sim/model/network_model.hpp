#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {

/// A transfer under way, as its Network numbers it: below the peak of transfers at once.
enum class CarriedId : std::uint32_t {};

/// How a Network carries bytes between nodes: what the user may replace.
///
/// The Network lets the latency pass, then calls begin(), and takes out what has ended whenever
/// next_end() comes. `now` never goes back from call to call.
class NetworkModel {
 public:
  NetworkModel() = default;
  virtual ~NetworkModel() = default;
  NetworkModel(const NetworkModel&) = delete;
  NetworkModel& operator=(const NetworkModel&) = delete;

  /// Of a message, and before the first byte of a transfer; nothing when there is no way.
  [[nodiscard]] virtual std::optional<Duration> latency(NodeId from, NodeId to) = 0;

  /// What is carried from where to where.
  struct Leg {
    NodeId from{};     ///< where it begins
    NodeId to{};       ///< where it is going; another node
    double bytes = 0;  ///< > 0
  };
  /// Begins to carry. How long it will take, if nothing else can change that; kForever if it does,
  /// and take_ended() will tell; nothing when there is no way.
  virtual std::optional<Duration> begin(Instant now, CarriedId id, const Leg& leg) = 0;

  // Of transfers for which begin() gave kForever:

  /// Gives one up; the bytes that it still had to go.
  virtual double give_up(Instant now, CarriedId id) = 0;
  /// The bytes that it has still to go.
  [[nodiscard]] virtual double left(Instant now, CarriedId id) = 0;
  [[nodiscard]] virtual Instant next_end() { return kNever; }
  virtual std::optional<CarriedId> take_ended(Instant) { return std::nullopt; }
  /// Whether next_end() is dear after a change: then the Network asks once per instant.
  [[nodiscard]] virtual bool settles_in_batches() const { return false; }

  // Of networks with links; others break the contract:

  /// Takes a link down or up. Appends the transfers that it carried, which are given up.
  virtual void set_up(Instant now, LinkId link, bool up, std::vector<CarriedId>& cut);
  /// Bytes per second of the link from now on.
  virtual void set_bandwidth(Instant now, LinkId link, double bandwidth);
};

}  // namespace artel::sim
