#include "artel/plan/detail/balancer_settings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/maglev.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/weighted_least_request.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"
#include "artel/plan/detail/settings_system.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::plan::detail {
namespace {

template <class T>
bool is(const SettingsAnswer& answer) {
  return std::holds_alternative<T>(answer.policy.policy);
}

bool takes_turns(const SettingsAnswer& answer) {
  return is<dispatch::RoundRobin>(answer) || is<dispatch::WeightedRoundRobin>(answer);
}

// How many workers it looks at and takes the one with the fewest tasks; 1: any; kAll: the one of
// all; nothing: it does something else.
std::optional<std::uint32_t> looked_at(const SettingsAnswer& answer) {
  if (is<dispatch::Random>(answer)) return 1;
  const auto by_number = [](const dispatch::Busyness& busyness) {
    return busyness.measure() == dispatch::Measure::queued;
  };
  if (const auto* const least = std::get_if<dispatch::LeastLoaded>(&answer.policy.policy))
    return by_number(least->busyness) ? std::optional(dispatch::Jsq::kAll) : std::nullopt;
  const auto* const jsq = std::get_if<dispatch::Jsq>(&answer.policy.policy);
  return jsq != nullptr && by_number(jsq->busyness) ? std::optional(jsq->d) : std::nullopt;
}

// What to say where the system's draws differ from those planned.
std::string draws_note(const SettingsAnswer& answer, bool different) {
  const auto* const jsq = std::get_if<dispatch::Jsq>(&answer.policy.policy);
  if (jsq == nullptr || jsq->d == dispatch::Jsq::kAll || jsq->different == different) return "";
  return different ? "It draws different workers; the plan may draw one twice, which is no better."
                   : "It may draw one worker twice; the plan draws different ones.";
}

std::optional<PolicyWords> envoy_policy(const SettingsAnswer& answer) {
  if (!answer.unbounded()) return std::nullopt;
  const auto extension = [](std::string_view name, std::string_view message) {
    return fmt::format(
        "name: envoy.load_balancing_policies.{0}\n"
        "            typed_config:\n"
        "              \"@type\": type.googleapis.com/envoy.extensions.load_balancing_policies."
        "{0}.v3.{1}\n",
        name, message);
  };
  constexpr std::string_view kIndent = "              ";
  if (takes_turns(answer)) return PolicyWords{extension("round_robin", "RoundRobin")};
  if (const auto* const maglev = std::get_if<dispatch::Maglev>(&answer.policy.policy)) {
    return PolicyWords{
        extension("maglev", "Maglev") + fmt::format("{}table_size: {}\n", kIndent, maglev->places),
        "The key of a task comes from hash_policy of the route."};
  }
  const auto least = extension("least_request", "LeastRequest");
  if (const auto* const by_weight =
          std::get_if<dispatch::WeightedLeastRequest>(&answer.policy.policy)) {
    if (std::ranges::adjacent_find(answer.speeds, std::not_equal_to<>()) == answer.speeds.end())
      return std::nullopt;  // then it draws two
    return PolicyWords{
        least + fmt::format("{}active_request_bias: {{default_value: {}, runtime_key: "
                            "artel.active_request_bias}}\n",
                            kIndent, by_weight->bias),
        "It hands out turns in these proportions; the plan draws."};
  }
  const auto d = looked_at(answer);
  if (!d) return std::nullopt;
  if (*d == dispatch::Jsq::kAll)
    return PolicyWords{least + fmt::format("{}selection_method: FULL_SCAN\n", kIndent)};
  if (*d == 1) return PolicyWords{extension("random", "Random")};
  return PolicyWords{least + fmt::format("{}choice_count: {}\n", kIndent, *d),
                     draws_note(answer, false)};
}

std::string envoy_block(const SettingsAnswer& answer, const std::string& policy) {
  auto text = fmt::format(
      "clusters:\n"
      "  - name: workers\n"
      "    type: STATIC\n"
      "    connect_timeout: 1s\n"
      "    load_balancing_policy:\n"
      "      policies:\n"
      "        - typed_extension_config:\n"
      "            {}"
      "    circuit_breakers:  # the plan turns no task away; the defaults do beyond 1024\n"
      "      thresholds:\n"
      "        - max_connections: 1000000\n"
      "          max_pending_requests: 1000000\n"
      "          max_requests: 1000000\n"
      "    load_assignment:\n"
      "      cluster_name: workers\n"
      "      endpoints:\n"
      "        - lb_endpoints:\n",
      policy);
  const auto weights = whole_weights(answer);
  for (std::size_t i = 0; i < answer.workers(); ++i) {
    text += fmt::format(
        "            - endpoint: {{address: {{socket_address: {{address: {}, port_value: "
        "8080}}}}}}\n",
        example_address(i));
    if (weights[i] > 0)
      text += fmt::format("              load_balancing_weight: {}\n", weights[i]);
  }
  return text;
}

std::optional<PolicyWords> nginx_policy(const SettingsAnswer& answer) {
  // It has no queue of its own: who finds all workers at their bound is turned away.
  if (!answer.unbounded() && answer.common_bound > 0) return std::nullopt;
  if (takes_turns(answer)) return PolicyWords{""};
  const auto d = looked_at(answer);
  if (d == dispatch::Jsq::kAll) return PolicyWords{"least_conn;"};
  if (d == 1U) return PolicyWords{"random;"};
  if (d == 2U) return PolicyWords{"random two least_conn;", draws_note(answer, true)};
  return std::nullopt;
}

std::string nginx_block(const SettingsAnswer& answer, const std::string& policy) {
  auto text =
      fmt::format("upstream workers {{\n    zone workers {}k;\n", 64 + 2 * answer.workers());
  if (!policy.empty()) text += fmt::format("    {}\n", policy);
  const auto weights = whole_weights(answer);
  for (std::size_t i = 0; i < answer.workers(); ++i) {
    text += fmt::format("    server {}:8080", example_address(i));
    if (weights[i] > 0) text += fmt::format(" weight={}", weights[i]);
    if (answer.bounds[i] != scenario::kUnbounded)
      text += fmt::format(" max_conns={}", answer.bounds[i]);
    text += ";\n";
  }
  return text + "}\n";
}

std::optional<PolicyWords> haproxy_policy(const SettingsAnswer& answer) {
  // Its queue before the workers has no bound.
  if (!answer.unbounded() && answer.common_bound != scenario::kUnbounded) return std::nullopt;
  if (takes_turns(answer)) return PolicyWords{"roundrobin"};
  const auto d = looked_at(answer);
  if (!d) return std::nullopt;
  if (*d == dispatch::Jsq::kAll) return PolicyWords{"leastconn"};
  return PolicyWords{fmt::format("random({})", *d), draws_note(answer, false)};
}

std::string haproxy_block(const SettingsAnswer& answer, const std::string& policy) {
  // Who has waited longer than that is turned away, and nobody is in the plan.
  const auto patience = std::max(1L, std::lround(std::ceil(2 * answer.wait_max_s)));
  auto text = fmt::format(
      "backend workers\n"
      "    mode http\n"
      "    balance {}\n"
      "    timeout queue {}s  # twice a run's longest wait\n",
      policy, patience);
  const auto weights = whole_weights(answer);
  for (std::size_t i = 0; i < answer.workers(); ++i) {
    text += fmt::format("    server worker{} {}:8080", i + 1, example_address(i));
    if (weights[i] > 0) text += fmt::format(" weight {}", weights[i]);
    if (answer.bounds[i] != scenario::kUnbounded)
      text += fmt::format(" maxconn {}", answer.bounds[i]);
    text += "\n";
  }
  return text;
}

constexpr SettingsSystem kBalancers[] = {
    {"envoy", "Envoy 1.32: https://www.envoyproxy.io/docs/envoy/v1.32.5/api-v3/config/cluster/v3/",
     "random, round_robin, weighted_round_robin, weighted_least_request (if weights differ), "
     "least_loaded, jsq(d=2), maglev, with unbounded queues",
     "# ", envoy_policy, envoy_block},
    {"nginx", "nginx 1.22.1: https://nginx.org/en/docs/http/ngx_http_upstream_module.html",
     "random, round_robin, weighted_round_robin, least_loaded, jsq(d=2); bounded queues only if "
     "nobody waits besides",
     "# ", nginx_policy, nginx_block},
    {"haproxy", "HAProxy 2.6.12: https://docs.haproxy.org/2.6/configuration.html",
     "central, random, round_robin, weighted_round_robin, least_loaded, jsq(d=3), with any bounds "
     "on workers' queues",
     "# ", haproxy_policy, haproxy_block},
};

}  // namespace

std::span<const SettingsSystem> balancer_settings() { return kBalancers; }

}  // namespace artel::plan::detail
