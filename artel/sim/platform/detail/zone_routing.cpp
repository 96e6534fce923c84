#include "artel/sim/platform/detail/zone_routing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim::detail {

ZoneId ZoneRouting::add_root(Rule rule) {
  ARTEL_REQUIRE(zones_.empty(), "there is one root");
  zones_.push_back({.rule = rule});
  return ZoneId{0};
}

ZoneId ZoneRouting::add_zone(ZoneId around, Rule rule) {
  const auto zone = static_cast<std::uint32_t>(zones_.size());
  const auto point = static_cast<std::uint32_t>(points_.size());
  points_.push_back({.zone = around});
  zones_.push_back({.rule = rule, .point = PointId{point}, .depth = zones_[at(around)].depth + 1});
  return ZoneId{zone};
}

PointId ZoneRouting::add_node(ZoneId zone, NodeId node) {
  const PointId point{static_cast<std::uint32_t>(points_.size())};
  points_.push_back({.zone = zone, .node = node});
  if (point_of_.size() <= at(node)) point_of_.resize(at(node) + 1);
  point_of_[at(node)] = point;
  return point;
}

std::optional<PointId> ZoneRouting::point(NodeId node) const {
  return at(node) < point_of_.size() ? point_of_[at(node)] : std::nullopt;
}

bool ZoneRouting::contains(ZoneId zone, NodeId node) const {
  const std::optional<PointId> known = point(node);
  if (!known) return false;
  ZoneId around = zone_of(*known);
  while (zones_[at(around)].depth > zones_[at(zone)].depth) around = zone_of(point(around));
  return around == zone;
}

bool ZoneRouting::add_route(PointId from, PointId to, const Gateways& gateways,
                            std::vector<LinkId> links) {
  if (!route_between_.emplace(std::pair(from, to), routes_.size()).second) return false;
  points_[at(from)].routes.push_back(routes_.size());
  routes_.push_back({from, to, gateways, std::move(links)});
  return true;
}

void ZoneRouting::set_private_links(PointId point, LinkId up, LinkId down) {
  points_[at(point)].up = up;
  points_[at(point)].down = down;
}

bool ZoneRouting::route(NodeId from, NodeId to, std::vector<LinkId>& links) {
  if (from == to) return true;
  if (!point(from) || !point(to)) return false;
  // Up to the two points that stand in one zone.
  PointId a = *point(from);
  PointId b = *point(to);
  const auto depth = [this](PointId p) { return zones_[at(zone_of(p))].depth; };
  const auto up = [this](PointId p) { return point(zone_of(p)); };
  while (depth(a) > depth(b)) a = up(a);
  while (depth(b) > depth(a)) b = up(b);
  while (zone_of(a) != zone_of(b)) {
    a = up(a);
    b = up(b);
  }
  std::vector<LinkId> middle;
  const auto gateways = local_route(a, b, middle);
  if (!gateways || !route(from, gateways->from, links)) return false;
  links.insert(links.end(), middle.begin(), middle.end());
  return route(gateways->to, to, links);
}

std::optional<ZoneRouting::Gateways> ZoneRouting::local_route(PointId from, PointId to,
                                                              std::vector<LinkId>& links) {
  const Zone& zone = zones_[at(zone_of(from))];
  const Point& start = points_[at(from)];
  const Point& end = points_[at(to)];
  if (zone.rule == Rule::cluster) {
    if (start.up) links.push_back(*start.up);
    if (zone.backbone) links.push_back(*zone.backbone);
    if (end.down) links.push_back(*end.down);
    return Gateways{start.node, end.node};
  }
  if (zone.rule == Rule::shortest) return chain(from, to, links);
  const auto found = route_between_.find({from, to});
  if (found == route_between_.end()) return std::nullopt;
  const Route& route = routes_[found->second];
  links.insert(links.end(), route.links.begin(), route.links.end());
  return route.gateways;
}

std::optional<ZoneRouting::Gateways> ZoneRouting::chain(PointId from, PointId to,
                                                        std::vector<LinkId>& links) {
  solve(from);
  const std::map<PointId, std::size_t>& last_routes = points_[at(from)].last_routes;
  std::vector<const Route*> parts;
  for (PointId reached = to; reached != from; reached = parts.back()->from) {
    const auto last = last_routes.find(reached);
    if (last == last_routes.end()) return std::nullopt;
    parts.push_back(&routes_[last->second]);
  }
  if (parts.empty()) return std::nullopt;
  std::reverse(parts.begin(), parts.end());
  const Route* before = nullptr;
  for (const Route* part : parts) {
    // Through a zone on the way, from the gateway of entry to that of exit.
    if (before != nullptr && !route(before->gateways.to, part->gateways.from, links)) {
      return std::nullopt;
    }
    links.insert(links.end(), part->links.begin(), part->links.end());
    before = part;
  }
  return Gateways{parts.front()->gateways.from, parts.back()->gateways.to};
}

// Dijkstra over the routes of a zone; each costs as many as it has links.
void ZoneRouting::solve(PointId from) {
  if (points_[at(from)].solved) return;
  points_[at(from)].solved = true;
  std::map<PointId, std::size_t>& last_routes = points_[at(from)].last_routes;
  std::map<PointId, std::size_t> costs{{from, 0}};
  using Reached = std::pair<std::size_t, PointId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> nearest;
  nearest.emplace(0, from);
  while (!nearest.empty()) {
    const auto [cost, point] = nearest.top();
    nearest.pop();
    if (cost > costs[point]) continue;
    for (const std::size_t number : points_[at(point)].routes) {
      const Route& route = routes_[number];
      const std::size_t there = cost + route.links.size();
      const auto known = costs.find(route.to);
      if (known != costs.end() && known->second <= there) continue;
      costs[route.to] = there;
      last_routes[route.to] = number;
      nearest.emplace(there, route.to);
    }
  }
}

}  // namespace artel::sim::detail
