#include "artel/plan/detail/fleet_settings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/plan/detail/settings_system.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::plan::detail {
namespace {

using scaling::Hpa;
using scaling::ScalingMetric;

constexpr std::string_view kElsewhere =
    "Who gets a task is decided elsewhere: settings of envoy, nginx or haproxy.";
constexpr std::string_view kNotSimulated =
    "The plan is of a fleet of one size, and that is the least here; more workers come when those "
    "are busier than planned, which was not simulated. With --scaling, or [pool.scaling] in a "
    "scenario, it is.";

long whole_seconds(Duration duration) { return std::lround(to_seconds(duration)); }

// The policy of that type, if the fleet grows and shrinks by it.
template <class T>
const T* scaled_by(const SettingsAnswer& answer) {
  return answer.scaling ? std::get_if<T>(&answer.scaling->policy) : nullptr;
}

// Nothing: the fleet goes by another policy than T.
template <class T>
std::optional<PolicyWords> scaling_words(const SettingsAnswer& answer) {
  if (!answer.scaling) return PolicyWords{"", fmt::format("{} {}", kNotSimulated, kElsewhere)};
  if (scaled_by<T>(answer) == nullptr) return std::nullopt;
  return PolicyWords{"", std::string(kElsewhere)};
}

// A fleet that is never smaller than the plan's.
dispatch::SizeLimits limits_of(const SettingsAnswer& answer) {
  if (answer.scaling) return answer.scaling->limits;
  const auto workers = static_cast<std::uint32_t>(answer.workers());
  return {.min = workers, .max = 2 * workers};
}

void add_steps(std::string& text, std::string_view indent, const scaling::ScalingStep& step) {
  if (step.percent <= 0 && step.workers == 0) {
    text += fmt::format("{}  selectPolicy: Disabled\n", indent);
    return;
  }
  text += fmt::format("{}  policies:\n", indent);
  const auto add = [&](std::string_view type, long value) {
    if (value <= 0) return;
    text += fmt::format("{0}    - type: {1}\n{0}      value: {2}\n{0}      periodSeconds: {3}\n",
                        indent, type, value, std::max(1L, whole_seconds(step.within)));
  };
  add("Percent", std::lround(step.percent));
  add("Pods", static_cast<long>(step.workers));
}

std::string behaviour(const Hpa& hpa, std::string_view indent) {
  auto text = fmt::format("{0}scaleUp:\n{0}  stabilizationWindowSeconds: {1}\n", indent,
                          whole_seconds(hpa.stabilisation_up));
  add_steps(text, indent, hpa.up);
  text += fmt::format("{0}scaleDown:\n{0}  stabilizationWindowSeconds: {1}\n", indent,
                      whole_seconds(hpa.stabilisation_down));
  add_steps(text, indent, hpa.down);
  return text;
}

// What the metric might be called where it is kept.
std::string_view metric_name(ScalingMetric metric) {
  switch (metric) {
    case ScalingMetric::in_service:
      return "tasks_in_service";
    case ScalingMetric::in_system:
      return "tasks_in_system";
    case ScalingMetric::waiting:
      return "tasks_waiting";
    case ScalingMetric::arrivals:
      return "tasks_per_second";
  }
  return "";
}

std::string hpa_metric(const Hpa& hpa, std::uint32_t slots) {
  if (hpa.metric == ScalingMetric::in_service) {
    return fmt::format(
        "    - type: Resource\n"
        "      resource:\n"
        "        name: cpu  # what a pod requests is what a worker needs to be busy\n"
        "        target:\n"
        "          type: Utilization\n"
        "          averageUtilization: {}\n",
        std::max(1L, std::lround(100 * hpa.target / slots)));
  }
  return fmt::format(
      "    - type: External\n"
      "      external:\n"
      "        metric:\n"
      "          name: {}  # yours, of the whole fleet\n"
      "        target:\n"
      "          type: AverageValue\n"
      "          averageValue: \"{:.3g}\"\n",
      metric_name(hpa.metric), hpa.target);
}

std::string hpa_block(const SettingsAnswer& answer, const std::string& /*policy*/) {
  Hpa hpa{.target = answer.utilisation * answer.slots};
  if (const auto* const asked = scaled_by<Hpa>(answer)) hpa = *asked;
  const auto limits = limits_of(answer);
  std::string text =
      "apiVersion: autoscaling/v2\n"
      "kind: HorizontalPodAutoscaler\n"
      "metadata:\n"
      "  name: workers\n"
      "spec:\n"
      "  scaleTargetRef:\n"
      "    apiVersion: apps/v1\n"
      "    kind: Deployment\n"
      "    name: workers\n";
  text += limits.min > 0
              ? fmt::format("  minReplicas: {}\n", limits.min)
              : "  minReplicas: 1  # 0, as planned, only with the feature gate HPAScaleToZero\n";
  text += fmt::format("  maxReplicas: {}\n  metrics:\n{}  behavior:\n{}", limits.max,
                      hpa_metric(hpa, answer.slots), behaviour(hpa, "    "));
  const Hpa fallback;
  if (hpa.period != fallback.period || hpa.tolerance != fallback.tolerance) {
    text += fmt::format(
        "# For kube-controller-manager: --horizontal-pod-autoscaler-sync-period={}s "
        "--horizontal-pod-autoscaler-tolerance={:.3g}\n",
        std::max(1L, whole_seconds(hpa.period)), hpa.tolerance);
  }
  return text;
}

std::string keda_block(const SettingsAnswer& answer, const std::string& /*policy*/) {
  scaling::Keda keda;
  if (const auto* const asked = scaled_by<scaling::Keda>(answer)) {
    keda = *asked;
  } else {
    keda.hpa.target = std::max(answer.in_system, 0.001);
  }
  const auto limits = limits_of(answer);
  return fmt::format(
      "apiVersion: keda.sh/v1alpha1\n"
      "kind: ScaledObject\n"
      "metadata:\n"
      "  name: workers\n"
      "spec:\n"
      "  scaleTargetRef:\n"
      "    name: workers\n"
      "  pollingInterval: {}\n"
      "  cooldownPeriod: {}\n"
      "  minReplicaCount: {}\n"
      "  maxReplicaCount: {}\n"
      "  advanced:\n"
      "    horizontalPodAutoscalerConfig:\n"
      "      behavior:\n"
      "{}"
      "  triggers:\n"
      "    - type: prometheus\n"
      "      metricType: AverageValue\n"
      "      metadata:\n"
      "        serverAddress: http://prometheus:9090  # yours\n"
      "        query: sum({})  # yours, of the whole fleet\n"
      "        threshold: \"{:.3g}\"\n"
      "        activationThreshold: \"{:.3g}\"\n",
      std::max(1L, whole_seconds(keda.hpa.period)), whole_seconds(keda.cooldown), limits.min,
      limits.max, behaviour(keda.hpa, "        "), metric_name(keda.hpa.metric), keda.hpa.target,
      keda.activation);
}

std::optional<PolicyWords> systemd_policy(const SettingsAnswer& answer) {
  if (!answer.central() || answer.slots > 1) return PolicyWords{"", std::string(kElsewhere)};
  return PolicyWords{"socket",
                     "Tasks are connections, and each worker accepts one at a time: the socket is "
                     "the queue of all."};
}

std::string systemd_block(const SettingsAnswer& answer, const std::string& policy) {
  const bool socket = !policy.empty();
  std::string text;
  if (socket) {
    text +=
        "# /etc/systemd/system/worker.socket\n"
        "[Unit]\n"
        "Description=Tasks that wait for any worker\n\n"
        "[Socket]\n"
        "ListenStream=8080\n"
        "Service=worker@1.service\n";
    if (answer.common_bound != scenario::kUnbounded)
      text += fmt::format("Backlog={}\n", answer.common_bound);
    text += "\n[Install]\nWantedBy=sockets.target\n\n";
  }
  text += fmt::format(
      "# /etc/systemd/system/worker@.service\n"
      "[Unit]\n"
      "Description=Worker %i\n"
      "PartOf=workers.target\n\n"
      "[Service]\n"
      "ExecStart=/usr/local/bin/worker\n"
      "{}"
      "Restart=on-failure\n\n"
      "# /etc/systemd/system/workers.target\n"
      "[Unit]\n"
      "Description=All workers\n",
      socket ? "Sockets=worker.socket\n" : "");
  constexpr std::size_t kPerLine = 4;
  for (std::size_t i = 0; i < answer.workers(); ++i) {
    text += fmt::format("{}worker@{}.service", i % kPerLine == 0 ? "Wants=" : " ", i + 1);
    if (i % kPerLine == kPerLine - 1 || i + 1 == answer.workers()) text += "\n";
  }
  return text + "\n[Install]\nWantedBy=multi-user.target\n";
}

constexpr SettingsSystem kFleets[] = {
    {"kubernetes-hpa",
     "Kubernetes 1.27, autoscaling/v2: "
     "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/"
     "horizontal-pod-autoscaler-v2/",
     "any policy, and of scaling hpa", "# ", scaling_words<Hpa>, hpa_block},
    {"keda", "KEDA 2.15: https://keda.sh/docs/2.15/reference/scaledobject-spec/",
     "any policy, and of scaling keda", "# ", scaling_words<scaling::Keda>, keda_block},
    {"systemd", "systemd 252: systemd.socket(5), systemd.service(5)", "any policy", "# ",
     systemd_policy, systemd_block},
};

}  // namespace

std::span<const SettingsSystem> fleet_settings() { return kFleets; }

}  // namespace artel::plan::detail
