#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "artel/sim/model/topology.hpp"

namespace artel::sim {

/// What a star is made of.
struct StarSpec {
  std::uint32_t hosts = 0;  ///< how many
  LinkSpec link;            ///< of each host
  Duplex duplex = Duplex::full;
  std::optional<LinkSpec> backbone = std::nullopt;  ///< all that enters the switch crosses it
};

/// Hosts around a switch.
struct Star {
  std::vector<NodeId> hosts;  ///< in order
  NodeId hub{};               ///< the switch; what is outside is connected to it
};

/// Builds a star. With a backbone, a transfer between two hosts crosses the link of the
/// one, the backbone and the link of the other; one to the hub, the link and the backbone.
Star add_star(Topology& topology, const StarSpec& spec);

}  // namespace artel::sim
