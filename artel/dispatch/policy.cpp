#include "artel/dispatch/policy.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"

namespace artel::dispatch {
namespace {

void add(Needs& needs, const Busyness& busyness) {
  const Measure measure = busyness.measure();
  const bool custom = measure == Measure::custom;
  needs.weight |= custom || measure == Measure::weighted;
  needs.delay |= custom || measure == Measure::delay;
  needs.work |= measure == Measure::work;
  needs.size |= needs.work;
}

struct NeedsOf {
  Needs operator()(const Random&) const { return {.dice = true}; }
  Needs operator()(const RoundRobin&) const { return {}; }
  Needs operator()(const WeightedRoundRobin&) const { return {.weight = true, .cycle = true}; }
  Needs operator()(const LeastLoaded& policy) const {
    Needs needs{.least = policy.busyness};
    add(needs, policy.busyness);
    return needs;
  }
  Needs operator()(const Jsq& policy) const {
    Needs needs{.dice = true};
    add(needs, policy.busyness);
    return needs;
  }
  Needs operator()(const Jiq&) const { return {.idle = true, .dice = true}; }
  Needs operator()(const LeastWorkLeft&) const {
    return {.least = Measure::work, .idle = true, .work = true, .size = true};
  }
  Needs operator()(const Sita& policy) const {
    return {.size = true, .dice = true, .sizes = policy.cutoffs.empty() && policy.intervals != 1};
  }
  Needs operator()(const ClosedLoop&) const { return {.dice = true, .shares = true}; }
  Needs operator()(const Custom&) const {
    return {.idle = true, .weight = true, .work = true, .delay = true, .size = true, .dice = true};
  }
};

std::string with_busyness(std::string_view policy, const Busyness& busyness) {
  if (busyness.measure() == Measure::queued) return std::string(policy);
  return fmt::format("{}({})", policy, name(busyness.measure()));
}

struct NameOf {
  std::string operator()(const Random&) const { return "random"; }
  std::string operator()(const RoundRobin&) const { return "round_robin"; }
  std::string operator()(const WeightedRoundRobin&) const { return "weighted_round_robin"; }
  std::string operator()(const LeastLoaded& policy) const {
    return with_busyness("least_loaded", policy.busyness);
  }
  std::string operator()(const Jsq& policy) const {
    const auto d = policy.d == Jsq::kAll ? "all" : std::to_string(policy.d);
    return with_busyness(fmt::format("jsq({})", d), policy.busyness);
  }
  std::string operator()(const Jiq&) const { return "jiq"; }
  std::string operator()(const LeastWorkLeft&) const { return "least_work_left"; }
  std::string operator()(const Sita&) const { return "sita"; }
  std::string operator()(const ClosedLoop& policy) const {
    if (policy.law == Law::level) return "closed_loop";
    return fmt::format("closed_loop({})", name(policy.law));
  }
  std::string operator()(const Custom& policy) const { return policy.name; }
};

}  // namespace

Needs needs(const Policy& policy) { return std::visit(NeedsOf{}, policy); }

void fit(Policy& policy, std::span<const Duration> sizes, std::size_t workers) {
  if (!needs(policy).sizes) return;
  auto& sita = std::get<Sita>(policy);
  sita.cutoffs = Sita::equal_load(sizes, sita.intervals == 0 ? workers : sita.intervals);
}

std::string name(const Policy& policy) { return std::visit(NameOf{}, policy); }

std::string_view name(Law law) { return law == Law::yawp ? "yawp" : "level"; }

}  // namespace artel::dispatch
