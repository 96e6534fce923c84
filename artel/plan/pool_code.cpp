#include "artel/plan/pool_code.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/affinity.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/c3.hpp"
#include "artel/dispatch/cache_aware.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/jbt.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/maglev.hpp"
#include "artel/dispatch/peak_ewma.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/policy_text.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/rendezvous.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_least_request.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/plan/detail/fewest_workers.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::plan {
namespace {

std::string duration_code(Duration duration) {
  using namespace std::chrono_literals;
  if (duration % 1s == 0s) return fmt::format("std::chrono::seconds({})", duration / 1s);
  if (duration % 1ms == 0s) return fmt::format("std::chrono::milliseconds({})", duration / 1ms);
  if (duration % 1us == 0s) return fmt::format("std::chrono::microseconds({})", duration / 1us);
  return fmt::format("std::chrono::nanoseconds({})", duration.count());
}

// The braces of a policy: fields that are not as they are by default.
std::string braces(const std::vector<std::string>& fields) {
  return fmt::format("{{{}}}", join(fields, ", "));
}

void add_busyness(std::vector<std::string>& fields, const dispatch::Busyness& busyness) {
  if (busyness.measure() == dispatch::Measure::queued) return;
  fields.push_back(
      fmt::format(".busyness = dispatch::Measure::{}", dispatch::name(busyness.measure())));
}

std::string choices(std::uint32_t d) {
  return d == dispatch::Jsq::kAll ? ".d = dispatch::Jsq::kAll" : fmt::format(".d = {}", d);
}

// How a policy that reads latency takes it.
template <class LatencyPolicy>
void add_latency(std::vector<std::string>& fields, const LatencyPolicy& policy) {
  const LatencyPolicy fallback;
  if (policy.decay != fallback.decay) fields.push_back(".decay = " + duration_code(policy.decay));
  if (policy.initial != fallback.initial)
    fields.push_back(".initial = " + duration_code(policy.initial));
}

// A text as a literal, whatever it was read as.
std::string literal(const dispatch::ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("\"{}\"", *number);
  return fmt::format("{:?}", std::get<std::string>(value));
}

struct CodeOf {
  std::string operator()(const dispatch::Random&) const { return "Random{}"; }
  std::string operator()(const dispatch::RoundRobin&) const { return "RoundRobin{}"; }
  std::string operator()(const dispatch::WeightedRoundRobin&) const {
    return "WeightedRoundRobin{}";
  }
  std::string operator()(const dispatch::LeastLoaded& policy) const {
    std::vector<std::string> fields;
    add_busyness(fields, policy.busyness);
    return "LeastLoaded" + braces(fields);
  }
  std::string operator()(const dispatch::Jsq& policy) const {
    std::vector<std::string> fields{choices(policy.d)};
    add_busyness(fields, policy.busyness);
    if (policy.different) fields.emplace_back(".different = true");
    return "Jsq" + braces(fields);
  }
  std::string operator()(const dispatch::Jiq&) const { return "Jiq{}"; }
  std::string operator()(const dispatch::LeastWorkLeft&) const { return "LeastWorkLeft{}"; }
  std::string operator()(const dispatch::Sita& policy) const {
    std::vector<std::string> cutoffs;
    for (const auto cutoff : policy.cutoffs) cutoffs.push_back(duration_code(cutoff));
    std::vector<std::string> fields;
    if (!cutoffs.empty()) fields.push_back(".cutoffs = " + braces(cutoffs));
    if (policy.intervals > 0) fields.push_back(fmt::format(".intervals = {}", policy.intervals));
    return "Sita" + braces(fields);
  }
  std::string operator()(const dispatch::ClosedLoop& policy) const {
    const dispatch::ClosedLoop fallback;
    std::vector<std::string> fields;
    if (policy.law != fallback.law)
      fields.push_back(fmt::format(".law = dispatch::Law::{}", dispatch::name(policy.law)));
    if (policy.beacon_every != fallback.beacon_every)
      fields.push_back(".beacon_every = " + duration_code(policy.beacon_every));
    if (policy.publish_every != fallback.publish_every)
      fields.push_back(".publish_every = " + duration_code(policy.publish_every));
    return "ClosedLoop" + braces(fields);
  }
  std::string operator()(const dispatch::PeakEwma& policy) const {
    std::vector<std::string> fields{choices(policy.d)};
    add_latency(fields, policy);
    return "PeakEwma" + braces(fields);
  }
  std::string operator()(const dispatch::Rendezvous& policy) const {
    std::vector<std::string> fields;
    if (std::isfinite(policy.bound)) fields.push_back(fmt::format(".bound = {}", policy.bound));
    if (policy.subset > 1) fields.push_back(fmt::format(".subset = {}", policy.subset));
    return "Rendezvous" + braces(fields);
  }
  std::string operator()(const dispatch::Maglev& policy) const {
    std::vector<std::string> fields;
    if (policy.places != dispatch::Maglev{}.places)
      fields.push_back(fmt::format(".places = {}", policy.places));
    return "Maglev" + braces(fields);
  }
  std::string operator()(const dispatch::WeightedLeastRequest& policy) const {
    if (policy.bias == dispatch::WeightedLeastRequest{}.bias) return "WeightedLeastRequest{}";
    return fmt::format("WeightedLeastRequest{{.bias = {}}}", policy.bias);
  }
  std::string operator()(const dispatch::Jbt& policy) const {
    if (policy.threshold == dispatch::kUnbounded) return "Jbt{.threshold = dispatch::kUnbounded}";
    return fmt::format("Jbt{{.threshold = {}}}", policy.threshold);
  }
  std::string operator()(const dispatch::C3& policy) const {
    std::vector<std::string> fields{choices(policy.d)};
    if (policy.clients > 1) fields.push_back(fmt::format(".clients = {}", policy.clients));
    add_latency(fields, policy);
    return "C3" + braces(fields);
  }
  std::string operator()(const dispatch::Affinity& policy) const {
    return fmt::format("Affinity{{.beta = {}}}", policy.beta);
  }
  std::string operator()(const dispatch::CacheAware& policy) const {
    return fmt::format("CacheAware{{.cache_threshold = {}, .balance_abs = {}, .balance_rel = {}}}",
                       policy.cache_threshold, policy.balance_abs, policy.balance_rel);
  }
  std::string operator()(const dispatch::Prequal& policy) const {
    const dispatch::Prequal fallback;
    std::vector<std::string> fields;
    const auto add = [&](std::string_view field, auto value, auto usual) {
      if (value != usual) fields.push_back(fmt::format(".{} = {}", field, value));
    };
    add("pool", policy.pool, fallback.pool);
    add("r_probe", policy.r_probe, fallback.r_probe);
    add("r_remove", policy.r_remove, fallback.r_remove);
    add("q_rif", policy.q_rif, fallback.q_rif);
    add("delta", policy.delta, fallback.delta);
    if (policy.max_age != fallback.max_age)
      fields.push_back(".max_age = " + duration_code(policy.max_age));
    add_latency(fields, policy);
    return "Prequal" + braces(fields);
  }
  std::string operator()(const dispatch::Custom& policy) const {
    const auto split = dispatch::split_policy(policy.text);
    ARTEL_REQUIRE(split && split->name == "plugin",
                  "a policy made in code has no name to be made by", policy.name);
    std::vector<std::string> arguments;
    for (const char* parameter : {"file", "options"}) {
      if (const auto given = split->parameters.find(parameter); given != split->parameters.end())
        arguments.push_back(literal(given->second));
    }
    return fmt::format("load_policy_plugin({}).value()", join(arguments, ", "));
  }
};

}  // namespace

std::optional<pool::PoolOptions> pool_options(const PlanResult& plan, const PlanRow& row) {
  if (!is_plain(plan.scenario)) return std::nullopt;
  if (!row.smallest || *row.smallest > pool::PoolOptions::kWorkersMax) return std::nullopt;
  const auto pool = detail::resized(plan.scenario.pool, *row.smallest);
  pool::PoolOptions options;
  options.workers = *row.smallest;
  options.dispatch = row.policy.policy;
  const auto waiting = [](std::uint32_t bound) {
    return bound == dispatch::kUnbounded ? 0U : std::min(bound - 1, pool::PoolOptions::kQueueMax);
  };
  if (row.queue_bound) {
    options.queue = waiting(*row.queue_bound);
  } else if (std::find(pool.queue_bounds.begin(), pool.queue_bounds.end(), dispatch::kUnbounded) ==
             pool.queue_bounds.end()) {
    for (const auto bound : pool.queue_bounds)
      options.queues.push_back(std::max(waiting(bound), 1U));  // a list has no automatic bound
  }
  const bool alike = std::adjacent_find(pool.speeds.begin(), pool.speeds.end(),
                                        std::not_equal_to<>{}) == pool.speeds.end();
  if (!alike) options.weights.assign(pool.speeds.begin(), pool.speeds.end());
  if (pool.common_bound != dispatch::kUnbounded) options.common = pool.common_bound;
  if (!scenario::takes_all(pool, row.policy)) options.when_full = dispatch::WhenFull::reject;
  return options;
}

std::string pool_code(const pool::PoolOptions& options) {
  const pool::PoolOptions fallback;
  auto text = fmt::format(
      "#include \"artel/pool/pool.hpp\"\n\n"
      "namespace dispatch = artel::dispatch;\n"
      "artel::pool::Pool pool{{{{\n"
      "    .workers = {},\n",
      options.workers);
  const auto add = [&text](std::string_view field, const std::string& value) {
    text += fmt::format("    .{} = {},\n", field, value);
  };
  if (options.queue != fallback.queue) add("queue", std::to_string(options.queue));
  if (!options.queues.empty()) add("queues", fmt::format("{{{}}}", join(options.queues, ", ")));
  if (!options.weights.empty()) {
    std::vector<std::string> weights;
    for (const float weight : options.weights) weights.push_back(fmt::format("{:#}F", weight));
    add("weights", braces(weights));
  }
  if (options.common != fallback.common) add("common", std::to_string(options.common));
  if (options.when_full == dispatch::WhenFull::reject)
    add("when_full", "artel::dispatch::WhenFull::reject");
  add("dispatch", "dispatch::" + std::visit(CodeOf{}, options.dispatch));
  return text + "}};\n";
}

}  // namespace artel::plan
