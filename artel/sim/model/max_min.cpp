#include "artel/sim/model/max_min.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::sim {
namespace {

// Levels closer than this are taken as equal: far above what rounding adds up to, far below what
// anybody measures. Without it, rounding would spread changes over links that nothing has reached.
constexpr double kSame = 1e-12;

bool about_equal(double a, double b) {
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= kSame * std::max(a, b);
}

// Heaps, least first.
template <class Key>
void push(std::vector<Key>& heap, const Key& key) {
  heap.push_back(key);
  std::push_heap(heap.begin(), heap.end(), std::greater<>{});
}
template <class Key>
Key pop(std::vector<Key>& heap) {
  std::pop_heap(heap.begin(), heap.end(), std::greater<>{});
  const Key least = heap.back();
  heap.pop_back();
  return least;
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

// Invariants of a solve:
//   - A link is reached once and stays so until commit(); only reached links have valid `open`,
//     `open_capacity` and `new_level`.
//   - A flow is open from when a reached link first takes it in until it is settled; seen from then
//     until reach_overfull(). Flows that are not open keep their old rate: they are slower than the
//     sweep's level, and nothing that the sweep can still do slows them.
//   - The level of the sweep never falls, so what is settled stays settled.
// Equal levels are taken by number, so that results do not depend on the order of the heaps.
//
// Sweeps the level upwards, from where the changes first tell, over the links reached: those of the
// changes, and whatever turns out to be disturbed on the way. Only a link that was not full and is
// filled by higher rates is found out afterwards, and makes another sweep necessary.
void MaxMin::solve() {
  links_changed_.clear();
  flows_moved_.clear();
  if (touched_.empty()) return;
  const double floor = find_floor();
  do {
    open_flows_.clear();
    caps_.clear();
    filling_.clear();
    passing_.clear();
    for (const LinkId id : reached_) open(id, floor);
    sweep();
  } while (reach_overfull());
  commit();
}

void MaxMin::touch(LinkId id) {
  Link& link = links_[at(id)];
  if (link.touched) return;
  link.touched = true;
  touched_.push_back(id);
}

// The level at which the link would fill if all other links stayed as they are: flows that have a
// rate do not exceed it, new ones take what they can get.
//
// Water-filling by repetition: a guess of the level, then again with what the flows slower than the
// guess leave. The guesses only rise, and each round settles a flow at least.
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
    link.reached = true;
    reached_.push_back(id);
  }
  touched_.clear();
  return floor * (1 - kSame);
}

// Takes a reached link into the sweep when it has come to `level`: its flows that are slower go on
// as they were.
void MaxMin::open(LinkId id, double level) {
  Link& link = links_[at(id)];
  link.open = 0;
  link.open_capacity = link.capacity;
  link.new_level = kNoLevel;
  for (const Crossing& crossing : link.crossings) {
    Flow& flow = flows_[at(crossing.flow)];
    if (!flow.seen) {
      const double rate = old_rate(flow);
      if (rate < level * (1 - kSame)) {
        link.open_capacity -= rate;
        continue;
      }
      flow.seen = true;
      flow.open = true;
      open_flows_.push_back(crossing.flow);
      if (flow.bottleneck != kNoLink && !links_[at(flow.bottleneck)].reached) {
        push(caps_, {rate, static_cast<std::uint32_t>(crossing.flow)});
      }
    }
    if (flow.open) {
      ++link.open;
    } else {
      link.open_capacity -= flow.new_rate;
    }
  }
  if (link.open == 0) return;
  push(filling_, {filling_level(link), static_cast<std::uint32_t>(id)});
  if (link.level != kNoLevel) push(passing_, {link.level, static_cast<std::uint32_t>(id)});
}

// Progressive filling. Settling flows below a link's filling level only raises it, so the keys in
// filling_ are lower bounds, renewed when they come up.
//
// The next thing to happen as the level rises is the least of three: a link used to be full here,
// and no longer is (passing_); a flow meets its old bottleneck, which is not reached and so holds
// it as before (caps_); a reached link fills (filling_). At equal levels caps go before fillings: a
// flow that nothing changed for keeps its bottleneck.
void MaxMin::sweep() {
  const auto first = [](const std::vector<Key>& heap) {
    return heap.empty() ? kNoLevel : heap.front().level;
  };
  while (!filling_.empty()) {
    const LinkId id{filling_.front().number};
    Link& link = links_[at(id)];
    const double level = filling_level(link);
    if (link.open == 0) {
      pop(filling_);
    } else if (level > filling_.front().level) {
      pop(filling_);
      push(filling_, {level, static_cast<std::uint32_t>(id)});
    } else if (first(passing_) * (1 + 2 * kSame) < std::min(level, first(caps_))) {
      rise_above(LinkId{pop(passing_).number});
    } else if (first(caps_) <= level * (1 + kSame)) {
      const Key cap = pop(caps_);
      Flow& flow = flows_[cap.number];
      const bool holds = flow.open && !links_[at(flow.bottleneck)].reached;
      if (holds) settle(flow, flow.bottleneck, cap.level);
    } else {
      pop(filling_);
      fill(id, level);
    }
  }
}

// The link is full at `level`.
void MaxMin::fill(LinkId id, double level) {
  Link& link = links_[at(id)];
  link.new_level = level;
  for (const Crossing& crossing : link.crossings) {
    Flow& flow = flows_[at(crossing.flow)];
    if (!flow.open) continue;
    settle(flow, id, level);
    const bool slower = flow.bottleneck != kNoLink && level < old_rate(flow) * (1 - kSame);
    if (slower) disturb_full(flow, level);
  }
}

// The sweep passes the level at which the link used to be full: what it held back goes on.
void MaxMin::rise_above(LinkId id) {
  const Link& link = links_[at(id)];
  for (const Crossing& crossing : link.crossings) {
    const Flow& flow = flows_[at(crossing.flow)];
    if (flow.open && flow.bottleneck == id) disturb_full(flow, link.level);
  }
}

// The flow has left its old rate: the full links that it crosses are solved anew.
void MaxMin::disturb_full(const Flow& flow, double level) {
  for (const Hop& hop : hops(flow)) {
    Link& link = links_[at(hop.link)];
    if (link.reached || link.level == kNoLevel) continue;
    link.reached = true;
    reached_.push_back(hop.link);
    open(hop.link, level);
  }
}

void MaxMin::settle(Flow& flow, LinkId bottleneck, double rate) {
  flow.open = false;
  flow.new_bottleneck = bottleneck;
  flow.new_rate = rate;
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

// Reaches the links that were not full and would hold more than they can; false when there is none.
// The sweep does not look at links with room to spare, which are most: what flows gain over them is
// added up here, and compared with the capacity once.
bool MaxMin::reach_overfull() {
  const std::size_t before = reached_.size();
  gaining_.clear();
  for (const FlowId id : open_flows_) {
    Flow& flow = flows_[at(id)];
    flow.seen = false;
    const double old = flow.bottleneck == kNoLink ? 0 : old_rate(flow);
    if (flow.bottleneck != kNoLink && about_equal(flow.new_rate, old)) continue;
    for (const Hop& hop : hops(flow)) {
      Link& link = links_[at(hop.link)];
      if (link.reached) continue;
      if (link.gained == 0) gaining_.push_back(hop.link);
      link.gained += flow.new_rate - old;
      if (link.sharing == Sharing::fat_pipe && flow.new_rate > link.capacity * (1 + kSame)) {
        link.reached = true;
        reached_.push_back(hop.link);
      }
    }
  }
  for (const LinkId id : gaining_) {
    Link& link = links_[at(id)];
    const bool overfull =
        link.sharing == Sharing::shared && link.used + link.gained > link.capacity * (1 + kSame);
    if (!overfull || link.reached) continue;
    link.reached = true;
    reached_.push_back(id);
  }
  const bool further = reached_.size() > before;
  for (const LinkId id : gaining_) {
    Link& link = links_[at(id)];
    if (!further) link.used += link.gained;
    link.gained = 0;
  }
  return further;
}

// Makes what was found the present: bottlenecks of the flows, levels of the links, what is used.
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
    // Reached when the flows that it holds back had been settled already.
    if (link.new_level == kNoLevel && link.limiting > 0) continue;
    if (about_equal(link.new_level, link.level)) continue;
    link.level = link.new_level;
    links_changed_.push_back(id);
  }
  reached_.clear();
}

}  // namespace artel::sim
