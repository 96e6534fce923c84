#include "artel/sim/platform/cluster_shape.hpp"

#include <cstddef>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {
namespace {

std::vector<NodeId> add_nodes(Topology& topology, std::size_t count) {
  std::vector<NodeId> nodes;
  nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(topology.add_node());
  return nodes;
}

}  // namespace

Star add_star(Topology& topology, const StarSpec& spec) {
  Star star{.hosts = add_nodes(topology, spec.hosts), .hub = topology.add_node()};
  if (!spec.backbone) {
    for (const NodeId host : star.hosts) topology.connect(host, star.hub, spec.link, spec.duplex);
    return star;
  }
  // Into the backbone, and out of it.
  const NodeId in = topology.add_node();
  const NodeId out = topology.add_node();
  for (const NodeId host : star.hosts) {
    const LinkId up = topology.add_link(spec.link);
    const LinkId down = spec.duplex == Duplex::full ? topology.add_link(spec.link) : up;
    topology.add_edge(host, in, up);
    topology.add_edge(out, host, down);
  }
  const LinkId backbone = topology.add_link(*spec.backbone);
  topology.add_edge(in, out, backbone);
  topology.add_edge(in, star.hub, backbone);
  topology.add_edge(star.hub, out, backbone);
  return star;
}

FatTree add_fat_tree(Topology& topology, const FatTreeSpec& spec) {
  ARTEL_REQUIRE(spec.ports >= 2 && spec.ports % 2 == 0, "a fat tree's switches have 2, 4, … ports",
                spec.ports);
  ARTEL_REQUIRE(spec.hosts <= FatTreeSpec::most_hosts(spec.ports), "that many ports for hosts",
                spec.hosts, FatTreeSpec::most_hosts(spec.ports));
  const std::size_t half = spec.ports / 2;
  FatTree tree{.hosts = add_nodes(topology, spec.hosts),
               .edge = add_nodes(topology, spec.ports * half),
               .aggregation = add_nodes(topology, spec.ports * half),
               .core = add_nodes(topology, half * half)};
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
