#include "artel/sim/model/max_min.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "artel/error/contract.hpp"

namespace artel::sim {
namespace {

// Levels closer than this are taken as equal: far above what rounding adds up to, far below what
// anybody measures. Without it, rounding would spread changes over links that nothing has reached.
constexpr double kSame = 1e-12;

bool about_equal(double a, double b) {
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= kSame * std::max(a, b);
}

}  // namespace

LinkId MaxMin::add_link(double capacity, Sharing sharing) {
  ARTEL_REQUIRE(capacity >= 0 && std::isfinite(capacity), "a capacity is finite and not negative",
                capacity);
  links_.push_back({.capacity = capacity, .sharing = sharing});
  return LinkId{static_cast<std::uint32_t>(links_.size() - 1)};
}

void MaxMin::set_capacity(LinkId link, double capacity) {
  ARTEL_REQUIRE(capacity >= 0 && std::isfinite(capacity), "a capacity is finite and not negative",
                capacity);
  links_[at(link)].capacity = capacity;
  touch(link);
}

FlowId MaxMin::add_flow(std::span<const LinkId> path) {
  ARTEL_REQUIRE(!path.empty() && path.size() <= std::numeric_limits<std::uint16_t>::max(),
                "a path has 1 to 65535 links", path.size());
  if (free_flows_.empty()) {
    free_flows_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const FlowId id{free_flows_.back()};
  free_flows_.pop_back();
  Flow& flow = flows_[at(id)];
  flow = {.hop_count = static_cast<std::uint16_t>(path.size())};

  if (free_hops_.size() <= path.size()) free_hops_.resize(path.size() + 1);
  std::vector<std::uint32_t>& of_this_length = free_hops_[path.size()];
  if (of_this_length.empty()) {
    of_this_length.push_back(static_cast<std::uint32_t>(hops_.size()));
    hops_.resize(hops_.size() + path.size());
  }
  flow.first_hop = of_this_length.back();
  of_this_length.pop_back();

  for (std::uint32_t hop = 0; hop < path.size(); ++hop) {
    Link& link = links_[at(path[hop])];
    hops_[flow.first_hop + hop] = {path[hop], static_cast<std::uint32_t>(link.crossings.size())};
    link.crossings.push_back({id, hop});
    touch(path[hop]);
  }
  return id;
}

void MaxMin::remove_flow(FlowId id) {
  Flow& flow = flows_[at(id)];
  ARTEL_REQUIRE(flow.hop_count > 0, "there is no such flow", at(id));
  const double rate = old_rate(flow);
  for (const Hop& hop : hops(flow)) {
    Link& link = links_[at(hop.link)];
    touch(hop.link);
    if (rate != kNoLevel) link.used -= rate;
    const Crossing last = link.crossings.back();
    link.crossings[hop.place] = last;
    link.crossings.pop_back();
    if (link.crossings.empty()) link.used = 0;
    hops_[flows_[at(last.flow)].first_hop + last.hop].place = hop.place;
  }
  if (flow.bottleneck != kNoLink) --links_[at(flow.bottleneck)].limiting;
  free_hops_[flow.hop_count].push_back(flow.first_hop);
  flow.hop_count = 0;
  free_flows_.push_back(static_cast<std::uint32_t>(id));
}

std::vector<FlowId> MaxMin::flows_over(LinkId link) const {
  std::vector<FlowId> flows;
  for (const Crossing& crossing : links_[at(link)].crossings) flows.push_back(crossing.flow);
  std::sort(flows.begin(), flows.end());
  flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
  return flows;
}

// Rounds: solve the links reached, holding every flow that is limited elsewhere to its present
// rate; where that changes rates at a full link outside, or overfills one, reach it too; again.
void MaxMin::solve() {
  links_changed_.clear();
  flows_moved_.clear();
  if (touched_.empty()) return;
  const double floor = find_floor();
  do {
    open_reached(floor);
    fill();
  } while (reach_further());
  commit();
}

void MaxMin::touch(LinkId id) {
  Link& link = links_[at(id)];
  if (link.touched) return;
  link.touched = true;
  touched_.push_back(id);
}

void MaxMin::reach(LinkId id) {
  Link& link = links_[at(id)];
  if (link.reached) return;
  link.reached = true;
  reached_.push_back(id);
}

// The level at which the link would fill if all other links stayed as they are: flows that have a
// rate do not exceed it, new ones take what they can get.
double MaxMin::level_alone(const Link& link) const {
  if (link.crossings.empty()) return kNoLevel;
  if (link.sharing == Sharing::fat_pipe) return link.capacity;
  double level = link.capacity / static_cast<double>(link.crossings.size());
  while (true) {
    double left = link.capacity;
    std::size_t faster = 0;
    for (const Crossing& crossing : link.crossings) {
      const double rate = old_rate(flows_[at(crossing.flow)]);
      if (rate <= level) {
        left -= rate;
      } else {
        ++faster;
      }
    }
    if (faster == 0) return kNoLevel;
    const double next = left / static_cast<double>(faster);
    if (next <= level * (1 + kSame)) return level;
    level = next;
  }
}

// Reaches the links of the changes; returns the level below which all rates stay.
double MaxMin::find_floor() {
  double floor = kNoLevel;
  for (const LinkId id : touched_) {
    Link& link = links_[at(id)];
    link.touched = false;
    const double level = level_alone(link);
    if (level == kNoLevel && link.level == kNoLevel) continue;
    floor = std::min({floor, level, link.level});
    reach(id);
  }
  touched_.clear();
  return floor * (1 - kSame);
}

// Opens the flows over the links reached whose rates may change.
void MaxMin::open_reached(double floor) {
  open_flows_.clear();
  caps_.clear();
  filling_.clear();
  for (const LinkId id : reached_) {
    Link& link = links_[at(id)];
    link.open = 0;
    link.open_capacity = link.capacity;
    link.new_level = kNoLevel;
    for (const Crossing& crossing : link.crossings) {
      Flow& flow = flows_[at(crossing.flow)];
      const double rate = old_rate(flow);
      if (rate < floor) {
        link.open_capacity -= rate;
        continue;
      }
      ++link.open;
      if (flow.seen) continue;
      flow.seen = true;
      flow.open = true;
      open_flows_.push_back(crossing.flow);
      if (flow.bottleneck != kNoLink && !links_[at(flow.bottleneck)].reached) {
        caps_.push_back({rate, static_cast<std::uint32_t>(crossing.flow)});
      }
    }
    if (link.open > 0) filling_.push_back({filling_level(link), static_cast<std::uint32_t>(id)});
  }
  std::sort(caps_.begin(), caps_.end(), [](const Key& a, const Key& b) { return b > a; });
  std::make_heap(filling_.begin(), filling_.end(), std::greater<>{});
}

// Progressive filling. Settling flows below a link's filling level only raises it, so the heap's
// keys are lower bounds, renewed when they come up.
void MaxMin::fill() {
  auto cap = caps_.begin();
  const auto keep_filling = [this](LinkId id) {
    filling_.back() = {filling_level(links_[at(id)]), static_cast<std::uint32_t>(id)};
    std::push_heap(filling_.begin(), filling_.end(), std::greater<>{});
  };
  while (!filling_.empty()) {
    std::pop_heap(filling_.begin(), filling_.end(), std::greater<>{});
    const LinkId id{filling_.back().number};
    Link& link = links_[at(id)];
    if (link.open == 0) {
      filling_.pop_back();
      continue;
    }
    const double level = filling_level(link);
    if (filling_.size() > 1 && level > filling_.front().level) {
      keep_filling(id);
      continue;
    }
    if (cap != caps_.end() && cap->level <= level * (1 + kSame)) {
      for (; cap != caps_.end() && cap->level <= level * (1 + kSame); ++cap) {
        Flow& flow = flows_[cap->number];
        if (flow.open) settle(flow, flow.bottleneck, cap->level);
      }
      keep_filling(id);
      continue;
    }
    filling_.pop_back();
    link.new_level = level;
    for (const Crossing& crossing : link.crossings) {
      Flow& flow = flows_[at(crossing.flow)];
      if (flow.open) settle(flow, id, level);
    }
  }
}

void MaxMin::settle(Flow& flow, LinkId bottleneck, double rate) {
  flow.open = false;
  flow.new_bottleneck = bottleneck;
  for (const Hop& hop : hops(flow)) {
    Link& link = links_[at(hop.link)];
    if (!link.reached) continue;
    --link.open;
    if (link.sharing == Sharing::shared) link.open_capacity -= rate;
  }
}

double MaxMin::filling_level(const Link& link) const {
  if (link.sharing == Sharing::fat_pipe) return link.capacity;
  if (link.open == 0) return kNoLevel;
  return std::max(0.0, link.open_capacity / static_cast<double>(link.open));
}

// Reaches the links outside that the new rates disturb; false when there is none.
bool MaxMin::reach_further() {
  const std::size_t before = reached_.size();
  gaining_.clear();
  for (const FlowId id : open_flows_) {
    Flow& flow = flows_[at(id)];
    flow.seen = false;
    const Link& limit = links_[at(flow.new_bottleneck)];
    const double rate = limit.reached ? limit.new_level : limit.level;
    const double old = flow.bottleneck == kNoLink ? 0 : old_rate(flow);
    if (flow.bottleneck != kNoLink && about_equal(rate, old)) continue;
    for (const Hop& hop : hops(flow)) {
      Link& link = links_[at(hop.link)];
      if (link.reached) continue;
      if (link.gained == 0) gaining_.push_back(hop.link);
      link.gained += rate - old;
      const bool disturbed = link.sharing == Sharing::fat_pipe ? rate > link.capacity * (1 + kSame)
                                                               : link.limiting > 0;
      if (disturbed) reach(hop.link);
    }
  }
  for (const LinkId id : gaining_) {
    Link& link = links_[at(id)];
    const bool overfull =
        link.sharing == Sharing::shared && link.used + link.gained > link.capacity * (1 + kSame);
    if (overfull) reach(id);
  }
  const bool further = reached_.size() > before;
  for (const LinkId id : gaining_) {
    Link& link = links_[at(id)];
    if (!further) link.used += link.gained;
    link.gained = 0;
  }
  return further;
}

void MaxMin::commit() {
  for (const FlowId id : open_flows_) {
    Flow& flow = flows_[at(id)];
    if (flow.new_bottleneck == flow.bottleneck) continue;
    if (flow.bottleneck != kNoLink) --links_[at(flow.bottleneck)].limiting;
    ++links_[at(flow.new_bottleneck)].limiting;
    flow.bottleneck = flow.new_bottleneck;
    flows_moved_.push_back(id);
  }
  for (const LinkId id : reached_) {
    Link& link = links_[at(id)];
    link.reached = false;
    link.used = link.capacity - link.open_capacity;
    if (about_equal(link.new_level, link.level)) continue;
    link.level = link.new_level;
    links_changed_.push_back(id);
  }
  reached_.clear();
}

}  // namespace artel::sim
