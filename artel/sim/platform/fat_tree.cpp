#include "artel/sim/platform/fat_tree.hpp"

#include <cstddef>

#include "artel/core/require.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {

FatTree add_fat_tree(Topology& topology, const FatTreeSpec& spec) {
  ARTEL_REQUIRE(spec.ports >= 2 && spec.ports % 2 == 0, "a fat tree's switches have 2, 4, … ports",
                spec.ports);
  ARTEL_REQUIRE(spec.hosts <= FatTreeSpec::most_hosts(spec.ports), "that many ports for hosts",
                spec.hosts, FatTreeSpec::most_hosts(spec.ports));
  const std::size_t half = spec.ports / 2;
  FatTree tree{.hosts = topology.add_nodes(spec.hosts),
               .edge = topology.add_nodes(spec.ports * half),
               .aggregation = topology.add_nodes(spec.ports * half),
               .core = topology.add_nodes(half * half)};
  const auto connect = [&](NodeId lower, NodeId upper) {
    topology.connect(lower, upper, spec.link, spec.duplex);
  };
  for (std::size_t i = 0; i < tree.hosts.size(); ++i) connect(tree.hosts[i], tree.edge[i / half]);
  for (std::size_t pod = 0; pod < spec.ports; ++pod) {
    for (std::size_t i = 0; i < half; ++i) {
      const NodeId aggregation = tree.aggregation[pod * half + i];
      for (std::size_t j = 0; j < half; ++j) {
        connect(tree.edge[pod * half + j], aggregation);
        connect(aggregation, tree.core[i * half + j]);
      }
    }
  }
  return tree;
}

}  // namespace artel::sim
