#include "artel/dispatch/policy_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/core/parse_number.hpp"
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
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/rendezvous.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_least_request.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"

namespace artel::dispatch {
namespace {

std::string exact(Duration duration) { return fmt::format("{}ns", duration.count()); }

struct TextOf {
  std::string operator()(const Random&) const { return "random"; }
  std::string operator()(const RoundRobin&) const { return "round_robin"; }
  std::string operator()(const WeightedRoundRobin&) const { return "weighted_round_robin"; }
  std::string operator()(const LeastLoaded& policy) const {
    return fmt::format("least_loaded(busyness={})", name(policy.busyness.measure()));
  }
  std::string operator()(const Jsq& policy) const {
    return fmt::format(
        "jsq(d={}; busyness={}{})", policy.d == Jsq::kAll ? "all" : std::to_string(policy.d),
        name(policy.busyness.measure()), policy.different ? "; draws=different" : "");
  }
  std::string operator()(const Jiq&) const { return "jiq"; }
  std::string operator()(const LeastWorkLeft&) const { return "least_work_left"; }
  std::string operator()(const Sita& policy) const {
    if (!policy.cutoffs.empty()) {
      std::vector<std::string> cutoffs;
      for (const Duration cutoff : policy.cutoffs) cutoffs.push_back(exact(cutoff));
      return fmt::format("sita(cutoffs={})", join(cutoffs, ", "));
    }
    return policy.intervals == 0 ? "sita" : fmt::format("sita(intervals={})", policy.intervals);
  }
  std::string operator()(const ClosedLoop& policy) const {
    return fmt::format("closed_loop(law={}; beacon_every={}; publish_every={})", name(policy.law),
                       exact(policy.beacon_every), exact(policy.publish_every));
  }
  std::string operator()(const PeakEwma& policy) const {
    return fmt::format("peak_ewma(d={}; decay={}; initial={})",
                       policy.d == Jsq::kAll ? "all" : std::to_string(policy.d),
                       exact(policy.decay), exact(policy.initial));
  }
  std::string operator()(const Rendezvous& policy) const {
    return fmt::format("rendezvous(bound={}; subset={})", policy.bound, policy.subset);
  }
  std::string operator()(const Maglev& policy) const {
    return fmt::format("maglev(places={})", policy.places);
  }
  std::string operator()(const Jbt& policy) const {
    if (policy.threshold == kUnbounded) return "jbt(threshold=inf)";
    return fmt::format("jbt(threshold={})", policy.threshold);
  }
  std::string operator()(const C3& policy) const {
    return fmt::format("c3(d={}; clients={}; decay={}; initial={})",
                       policy.d == Jsq::kAll ? "all" : std::to_string(policy.d), policy.clients,
                       exact(policy.decay), exact(policy.initial));
  }
  std::string operator()(const Affinity& policy) const {
    return fmt::format("affinity(beta={})", policy.beta);
  }
  std::string operator()(const CacheAware& policy) const {
    return fmt::format("cache_aware(cache_threshold={}; balance_abs={}; balance_rel={})",
                       policy.cache_threshold, policy.balance_abs, policy.balance_rel);
  }
  std::string operator()(const Prequal& policy) const {
    return fmt::format(
        "prequal(pool={}; r_probe={}; r_remove={}; q_rif={}; delta={}; max_age={}; decay={}; "
        "initial={})",
        policy.pool, policy.r_probe, policy.r_remove, policy.q_rif, policy.delta,
        exact(policy.max_age), exact(policy.decay), exact(policy.initial));
  }
  std::string operator()(const WeightedLeastRequest& policy) const {
    return fmt::format("weighted_least_request(bias={})", policy.bias);
  }
  std::string operator()(const Custom& policy) const {
    return policy.text.empty() ? policy.name : policy.text;
  }
};

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

ParameterValue value_of(std::string_view text) {
  if (const auto number = parse_number<double>(text)) return *number;
  return std::string(text);
}

}  // namespace

std::string policy_text(const Policy& policy) { return std::visit(TextOf{}, policy); }

Result<PolicyText> split_policy(std::string_view text) {
  const auto refuse = [text] {
    return fail(ErrorCode::parse,
                fmt::format("found policy '{}'; expected a name, or name(key=value; key=value)",
                            text.substr(0, 80)));
  };
  const auto open = text.find('(');
  PolicyText split{.name = std::string(trimmed(text.substr(0, open))), .parameters = {}};
  if (open != std::string_view::npos) {
    auto rest = trimmed(text.substr(open + 1));
    if (!rest.ends_with(')')) return refuse();
    rest.remove_suffix(1);
    while (!rest.empty()) {
      const auto entry = rest.substr(0, rest.find(';'));
      const auto equals = entry.find('=');
      if (equals == std::string_view::npos) return refuse();
      split.parameters.insert_or_assign(std::string(trimmed(entry.substr(0, equals))),
                                        value_of(trimmed(entry.substr(equals + 1))));
      rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
    }
  }
  return split;
}

Result<Policy> parse_policy(std::string_view text) {
  const auto split = split_policy(text);
  if (!split) return fail(split);
  return make_policy(split->name, split->parameters);
}

}  // namespace artel::dispatch
