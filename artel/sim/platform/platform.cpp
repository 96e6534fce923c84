#include "artel/sim/platform/platform.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "artel/sim/model/topology.hpp"

namespace artel::sim {

const HostSpec* Platform::find_host(std::string_view name) const {
  const auto node = nodes.find(name);
  return node == nodes.end() ? nullptr : host_at(node->second);
}

const HostSpec* Platform::host_at(NodeId node) const {
  const auto found =
      std::lower_bound(hosts.begin(), hosts.end(), node,
                       [](const HostSpec& host, NodeId wanted) { return host.node < wanted; });
  return found == hosts.end() || found->node != node ? nullptr : &*found;
}

bool Platform::add_node(const std::string& name) {
  if (nodes.contains(name)) return false;
  return name_node(name, topology.add_node());
}

bool Platform::add_host(HostSpec host) {
  if (!add_node(host.name)) return false;
  host.node = nodes.find(host.name)->second;
  hosts.push_back(std::move(host));
  return true;
}

bool Platform::name_node(const std::string& name, NodeId node) {
  return nodes.emplace(name, node).second;
}

}  // namespace artel::sim
