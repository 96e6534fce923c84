#include "artel/dispatch/policy.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/dispatch/affinity.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/c3.hpp"
#include "artel/dispatch/cache_aware.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/jbt.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/maglev.hpp"
#include "artel/dispatch/peak_ewma.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/rendezvous.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_least_request.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"

namespace artel::dispatch {
namespace {

void add(Needs& needs, const Busyness& busyness) {
  const Measure measure = busyness.measure();
  const bool custom = measure == Measure::custom;
  if (custom || measure == Measure::weighted) needs.inputs |= PolicyInput::weight;
  if (custom || measure == Measure::delay) needs.inputs |= PolicyInput::delay;
  if (measure == Measure::work) needs.inputs |= {PolicyInput::work, PolicyInput::size};
}

struct NeedsOf {
  Needs operator()(const Random&) const { return {.dice = true}; }
  Needs operator()(const RoundRobin&) const { return {}; }
  Needs operator()(const WeightedRoundRobin&) const {
    return {.inputs = PolicyInput::weight, .cycle = true};
  }
  Needs operator()(const LeastLoaded& policy) const {
    Needs needs{.least = policy.busyness};
    add(needs, policy.busyness);
    return needs;
  }
  Needs operator()(const Jsq& policy) const {
    Needs needs{.dice = true};
    if (policy.d == Jsq::kAll) {
      needs.ties = policy.busyness;
      needs.ties_beyond = Jsq::kThrowsMax;
    }
    add(needs, policy.busyness);
    return needs;
  }
  Needs operator()(const Jiq&) const { return {.idle = true, .dice = true}; }
  Needs operator()(const LeastWorkLeft&) const {
    return {.least = Measure::work, .idle = true, .inputs = {PolicyInput::work, PolicyInput::size}};
  }
  Needs operator()(const Sita& policy) const {
    return {.inputs = PolicyInput::size,
            .dice = true,
            .sizes = policy.cutoffs.empty() && policy.intervals != 1};
  }
  Needs operator()(const ClosedLoop&) const { return {.dice = true, .shares = true}; }
  Needs operator()(const PeakEwma& policy) const {
    return {.inputs = PeakEwma::kReads, .latency = {.decay = policy.decay}, .dice = true};
  }
  Needs operator()(const Rendezvous&) const { return {.inputs = Rendezvous::kReads, .dice = true}; }
  Needs operator()(const Maglev& policy) const {
    return {.inputs = Maglev::kReads, .dice = true, .places = policy.places};
  }
  Needs operator()(const Jbt& policy) const {
    return {.idle = policy.threshold == 1, .dice = true};
  }
  Needs operator()(const C3& policy) const {
    return {.inputs = C3::kReads, .latency = {.decay = policy.decay, .peak = false}, .dice = true};
  }
  Needs operator()(const WeightedLeastRequest&) const {
    return {.inputs = WeightedLeastRequest::kReads, .dice = true};
  }
  Needs operator()(const Affinity&) const { return {.inputs = Affinity::kReads, .dice = true}; }
  Needs operator()(const CacheAware&) const { return {.inputs = CacheAware::kReads, .dice = true}; }
  Needs operator()(const Prequal& policy) const {
    return {.inputs = Prequal::kReads,
            .latency = {.decay = policy.decay, .peak = false, .per_task = true},
            .dice = true,
            .probes = true};
  }
  Needs operator()(const Custom& policy) const {
    Needs needs{.idle = true,
                .inputs = policy.reads.value_or(PolicyInputs::all()),
                .latency = policy.latency,
                .dice = true};
    if (needs.inputs.has(PolicyInput::work)) needs.inputs |= PolicyInput::size;
    return needs;
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
    return with_busyness(fmt::format("jsq({}{})", d, policy.different ? " different" : ""),
                         policy.busyness);
  }
  std::string operator()(const Jiq&) const { return "jiq"; }
  std::string operator()(const LeastWorkLeft&) const { return "least_work_left"; }
  std::string operator()(const Sita&) const { return "sita"; }
  std::string operator()(const ClosedLoop& policy) const {
    if (policy.law == Law::level) return "closed_loop";
    return fmt::format("closed_loop({})", name(policy.law));
  }
  std::string operator()(const PeakEwma& policy) const {
    return fmt::format("peak_ewma({})", policy.d == Jsq::kAll ? "all" : std::to_string(policy.d));
  }
  std::string operator()(const Rendezvous& policy) const {
    if (policy.subset > 1) return fmt::format("rendezvous({} of them)", policy.subset);
    return std::isfinite(policy.bound) ? fmt::format("rendezvous({})", policy.bound) : "rendezvous";
  }
  std::string operator()(const Maglev&) const { return "maglev"; }
  std::string operator()(const Jbt& policy) const {
    if (policy.threshold == kUnbounded) return "jbt(inf)";
    return fmt::format("jbt({})", policy.threshold);
  }
  std::string operator()(const C3& policy) const {
    const auto clients = policy.clients > 1 ? fmt::format("{} clients", policy.clients) : "";
    if (policy.d == Jsq::kAll) return clients.empty() ? "c3" : fmt::format("c3({})", clients);
    return fmt::format("c3({}{}{})", policy.d, clients.empty() ? "" : ", ", clients);
  }
  std::string operator()(const Affinity& policy) const {
    return fmt::format("affinity({})", policy.beta);
  }
  std::string operator()(const CacheAware& policy) const {
    return fmt::format("cache_aware({}, {}, {})", policy.cache_threshold, policy.balance_abs,
                       policy.balance_rel);
  }
  std::string operator()(const Prequal& policy) const {
    if (policy.q_rif == Prequal{}.q_rif) return "prequal";
    return fmt::format("prequal({})", policy.q_rif);
  }
  std::string operator()(const WeightedLeastRequest& policy) const {
    if (policy.bias == WeightedLeastRequest{}.bias) return "weighted_least_request";
    return fmt::format("weighted_least_request({})", policy.bias);
  }
  std::string operator()(const Custom& policy) const { return policy.name; }
};

}  // namespace

Needs needs(const Policy& policy) { return std::visit(NeedsOf{}, policy); }

Result<void> check_inputs(const Policy& policy, PolicyInputs kept, std::string_view host) {
  const auto* custom = std::get_if<Custom>(&policy);
  if (custom != nullptr && !custom->reads) return {};
  const PolicyInputs missing = needs(policy).inputs.without(kept);
  if (missing.empty()) return {};
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < PolicyInputs::kCount; ++i) {
    const auto field = static_cast<PolicyInput>(i);
    if (missing.has(field)) names.push_back(name(field));
  }
  return fail(ErrorCode::invalid, fmt::format("policy {} reads {}, which {} does not know",
                                              name(policy), join(names, ", "), host));
}

void fit(Policy& policy, std::span<const Duration> sizes, std::size_t workers) {
  if (!needs(policy).sizes) return;
  auto& sita = std::get<Sita>(policy);
  sita.cutoffs = Sita::equal_load(sizes, sita.intervals == 0 ? workers : sita.intervals);
}

std::string name(const Policy& policy) { return std::visit(NameOf{}, policy); }

std::string_view name(Law law) { return law == Law::yawp ? "yawp" : "level"; }

}  // namespace artel::dispatch
