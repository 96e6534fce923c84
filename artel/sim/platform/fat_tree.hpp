#pragma once

#include <cstdint>
#include <vector>

#include "artel/sim/model/topology.hpp"

namespace artel::sim {

/// Three tiers of switches with k ports each: k pods of k/2 edge and k/2 aggregation switches, and
/// (k/2)² core switches; k³/4 hosts at most.
struct FatTreeSpec {
  std::uint32_t ports = 0;  ///< of every switch: even, ≥ 2
  std::uint32_t hosts = 0;  ///< ≤ most_hosts(ports); they fill the edge switches one by one
  LinkSpec link;            ///< of hosts and between switches
  Duplex duplex = Duplex::full;

  [[nodiscard]] static std::uint64_t most_hosts(std::uint32_t ports) {
    return std::uint64_t{ports} * ports * ports / 4;
  }
};

/// The nodes of a fat tree, tier by tier.
struct FatTree {
  std::vector<NodeId> hosts;        ///< k/2 per edge switch, pod by pod
  std::vector<NodeId> edge;         ///< k/2 per pod
  std::vector<NodeId> aggregation;  ///< k/2 per pod
  std::vector<NodeId> core;         ///< (k/2)² switches that join the pods
};

/// Source: Al-Fares, Loukissas and Vahdat, A scalable, commodity data center network architecture,
///         SIGCOMM 2008. Routes: those of the topology; have it spread equal paths.
FatTree add_fat_tree(Topology& topology, const FatTreeSpec& spec);

}  // namespace artel::sim
