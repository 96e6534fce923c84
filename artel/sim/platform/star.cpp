#include "artel/sim/platform/star.hpp"

#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {

Star add_star(Topology& topology, const StarSpec& spec) {
  Star star{.hosts = topology.add_nodes(spec.hosts), .hub = topology.add_node()};
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

}  // namespace artel::sim
