#include "artel/sim/model/topology.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/max_min.hpp"

namespace artel::sim {
namespace {

constexpr std::uint64_t kLatencyScale = 1024;

// A well-mixed number from both ends: the finaliser of SplitMix64.
std::uint64_t mix(std::uint64_t from, std::uint64_t to, std::uint64_t hop) {
  std::uint64_t z = (from << 40U) ^ (to << 16U) ^ hop;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

}  // namespace

NodeId Topology::add_node() {
  edges_to_.emplace_back();
  edges_from_.emplace_back();
  forget_costs();
  return NodeId{static_cast<std::uint32_t>(edges_to_.size() - 1)};
}

std::vector<NodeId> Topology::add_nodes(std::size_t count) {
  std::vector<NodeId> nodes;
  nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(add_node());
  return nodes;
}

Topology::LinkPair Topology::connect(NodeId a, NodeId b, const LinkSpec& spec, Duplex duplex) {
  const LinkId there = add_link(spec);
  const LinkId back = duplex == Duplex::full ? add_link(spec) : there;
  add_edge(a, b, there);
  add_edge(b, a, back);
  return {there, back};
}

LinkId Topology::add_link(const LinkSpec& spec) {
  ARTEL_REQUIRE(spec.bandwidth > 0 && std::isfinite(spec.bandwidth), "a bandwidth is positive",
                spec.bandwidth);
  ARTEL_REQUIRE(spec.latency >= Duration::zero(), "a latency is not negative",
                spec.latency.count());
  links_.push_back({.spec = spec});
  return LinkId{static_cast<std::uint32_t>(links_.size() - 1)};
}

void Topology::add_edge(NodeId from, NodeId to, LinkId link) {
  ARTEL_REQUIRE(at(from) < node_count() && at(to) < node_count() && at(link) < link_count(),
                "nodes and links are added before they are connected", at(from), at(to), at(link));
  edges_from_[at(from)].push_back({to, link});
  edges_to_[at(to)].push_back({from, link});
  forget_costs();
}

void Topology::set_route(NodeId from, NodeId to, std::vector<LinkId> links) {
  for (const LinkId link : links) {
    ARTEL_REQUIRE(at(link) < link_count(), "there is no such link", at(link));
  }
  set_routes_[{from, to}] = std::move(links);
}

void Topology::set_up(LinkId link, bool up) {
  if (links_[at(link)].up == up) return;
  links_[at(link)].up = up;
  forget_costs();
}

std::optional<Topology::Route> Topology::route(NodeId from, NodeId to) {
  ARTEL_REQUIRE(at(from) < node_count() && at(to) < node_count(), "there is no such node", at(from),
                at(to), node_count());
  if (const auto set = set_routes_.find({from, to}); set != set_routes_.end()) {
    return route_over(set->second);
  }
  path_.clear();
  if (!(routing_ ? routing_(from, to, path_) : find_shortest(from, to))) return std::nullopt;
  return route_over(path_);
}

std::optional<Topology::Route> Topology::route_over(std::span<const LinkId> links) const {
  if (!std::all_of(links.begin(), links.end(), [this](LinkId link) { return is_up(link); })) {
    return std::nullopt;
  }
  return Route{links, latency_of(links)};
}

// Appends it to path_.
bool Topology::find_shortest(NodeId from, NodeId to) {
  const std::vector<Cost>& costs = costs_to(to);
  if (costs[at(from)] == kFar) return false;
  for (NodeId node = from; node != to;) {
    // Every edge that brings `to` nearer by just its own cost lies on a shortest route.
    const Edge* chosen = nullptr;
    std::uint64_t lowest = 0;
    for (const Edge& edge : edges_from_[at(node)]) {
      const Cost rest = costs[at(edge.other)];
      if (!is_up(edge.link) || rest == kFar || rest + cost(edge) != costs[at(node)]) continue;
      const std::uint64_t rank = equal_paths_ == EqualPaths::spread
                                     ? mix(at(from), at(to), path_.size() << 20U | at(edge.link))
                                     : std::uint64_t{at(edge.other)} << 32U | at(edge.link);
      if (chosen == nullptr || rank < lowest) {
        chosen = &edge;
        lowest = rank;
      }
    }
    path_.push_back(chosen->link);
    node = chosen->other;
  }
  return true;
}

Topology::Cost Topology::cost(const Edge& edge) const {
  const auto latency = static_cast<std::uint64_t>(links_[at(edge.link)].spec.latency.count());
  return latency * kLatencyScale + 1;
}

// Dijkstra from the destination backwards.
const std::vector<Topology::Cost>& Topology::costs_to(NodeId to) {
  costs_.resize(node_count());
  std::vector<Cost>& costs = costs_[at(to)];
  if (!costs.empty()) return costs;
  costs.assign(node_count(), kFar);
  using Reached = std::pair<Cost, NodeId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> nearest;
  costs[at(to)] = 0;
  nearest.emplace(0, to);
  while (!nearest.empty()) {
    const auto [far, node] = nearest.top();
    nearest.pop();
    if (far > costs[at(node)]) continue;
    for (const Edge& edge : edges_to_[at(node)]) {
      const Cost there = far + cost(edge);
      if (!is_up(edge.link) || there >= costs[at(edge.other)]) continue;
      costs[at(edge.other)] = there;
      nearest.emplace(there, edge.other);
    }
  }
  return costs;
}

Duration Topology::latency_of(std::span<const LinkId> links) const {
  Duration sum{};
  for (const LinkId link : links) sum += links_[at(link)].spec.latency;
  return sum;
}

void Topology::forget_costs() { costs_.clear(); }

}  // namespace artel::sim
