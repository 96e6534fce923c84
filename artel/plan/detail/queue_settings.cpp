#include "artel/plan/detail/queue_settings.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/plan/detail/settings_system.hpp"
#include "artel/plan/pool_code.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/scaling/hpa.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::plan::detail {
namespace {

// Workers of one slot are the slots of one program; others are programs of so many slots.
struct Programs {
  std::size_t number;
  std::size_t slots;
};

Programs programs_of(const SettingsAnswer& answer) {
  if (answer.slots == 1) return {1, answer.workers()};
  return {answer.workers(), answer.slots};
}

std::string programs_note(const SettingsAnswer& answer) {
  const auto programs = programs_of(answer);
  return programs.number == 1 ? "Of one program; several share the number between them."
                              : fmt::format("Of each of {} programs.", programs.number);
}

std::optional<PolicyWords> one_queue(const SettingsAnswer& answer) {
  if (!answer.central() || answer.common_bound != scenario::kUnbounded) return std::nullopt;
  return PolicyWords{"", programs_note(answer)};
}

std::optional<PolicyWords> celery_policy(const SettingsAnswer& answer) {
  auto words = one_queue(answer);
  if (words) words->note += " A task runs again if its worker is lost: task_acks_late.";
  return words;
}

std::string celery_block(const SettingsAnswer& answer, const std::string& /*policy*/) {
  return fmt::format(
      "worker_concurrency = {}\n"
      "worker_prefetch_multiplier = 1\n"
      "task_acks_late = True  # or each process holds a task besides the one it works on\n",
      programs_of(answer).slots);
}

std::string temporal_block(const SettingsAnswer& answer, const std::string& /*policy*/) {
  return fmt::format(
      "worker.Options{{\n"
      "\tMaxConcurrentActivityExecutionSize: {},\n"
      "}}\n",
      programs_of(answer).slots);
}

// The policy by which the fleet is scaled, if Ray Serve's autoscaler goes by the same: how many
// requests there are, waiting and running, for each replica.
const scaling::Hpa* ray_scaling(const SettingsAnswer& answer) {
  const auto* const hpa =
      answer.scaling ? std::get_if<scaling::Hpa>(&answer.scaling->policy) : nullptr;
  return hpa != nullptr && hpa->metric == scaling::ScalingMetric::in_system ? hpa : nullptr;
}

std::optional<PolicyWords> ray_policy(const SettingsAnswer& answer) {
  const auto* const jsq = std::get_if<dispatch::Jsq>(&answer.policy.policy);
  if (jsq == nullptr || jsq->d != 2 || jsq->busyness.measure() != dispatch::Measure::queued ||
      !answer.bound() || answer.unbounded() || (answer.scaling && ray_scaling(answer) == nullptr))
    return std::nullopt;
  std::string note = "Its routers draw two replicas, and look again if both are full.";
  if (!jsq->different) note += " They are different ones; the plan may draw one twice.";
  if (answer.scaling) {
    note +=
        " Its autoscaler has no bounds on steps and no tolerance, and looks at the mean of the "
        "last "
        "half minute.";
  } else {
    note +=
        " Of a fleet that --scaling 'hpa(metric=in_system, …)' scales it would be an "
        "autoscaling_config.";
  }
  return PolicyWords{"", note};
}

std::string ray_block(const SettingsAnswer& answer, const std::string& /*policy*/) {
  std::string text =
      "deployments:\n"
      "  - name: workers\n";
  if (const auto* const hpa = ray_scaling(answer); hpa != nullptr && answer.scaling) {
    text += fmt::format(
        "    autoscaling_config:\n"
        "      min_replicas: {}\n"
        "      max_replicas: {}\n"
        "      target_ongoing_requests: {:.3g}\n"
        "      upscale_delay_s: {:g}\n"
        "      downscale_delay_s: {:g}\n",
        answer.scaling->limits.min, answer.scaling->limits.max, hpa->target,
        to_seconds(hpa->stabilisation_up), to_seconds(hpa->stabilisation_down));
  } else {
    text += fmt::format("    num_replicas: {}\n", answer.workers());
  }
  text += fmt::format("    max_ongoing_requests: {}\n", answer.bound().value_or(answer.slots));
  // -1: as many as come
  text += answer.common_bound == scenario::kUnbounded
              ? "    max_queued_requests: -1\n"
              : fmt::format("    max_queued_requests: {}\n", answer.common_bound);
  return text;
}

std::optional<PolicyWords> pool_policy(const SettingsAnswer& answer) {
  return answer.pool ? std::optional(PolicyWords{""}) : std::nullopt;
}

std::string pool_block(const SettingsAnswer& answer, const std::string& /*policy*/) {
  return pool_code(answer.pool.value_or(pool::PoolOptions{}));
}

constexpr SettingsSystem kQueues[] = {
    {"celery", "Celery 5.2.6: https://docs.celeryq.dev/en/v5.2.6/userguide/configuration.html",
     "central, without a bound on what waits", "# ", celery_policy, celery_block},
    {"temporal",
     "Temporal's Go SDK 1.16: https://pkg.go.dev/go.temporal.io/sdk@v1.16.0/worker#Options",
     "central, without a bound on what waits", "// ", one_queue, temporal_block},
    {"ray-serve",
     "Ray 2.32: https://docs.ray.io/en/latest/serve/configure-serve-deployment.html, "
     "https://docs.ray.io/en/latest/serve/api/doc/ray.serve.config.AutoscalingConfig.html",
     "jsq(d=2) with bounded queues, and of scaling hpa(metric=in_system)", "# ", ray_policy,
     ray_block},
    {"pool", "artel's thread pool: docs/pool.md",
     "every policy, of workers that serve one task at a time in order of arrival", "// ",
     pool_policy, pool_block},
};

}  // namespace

std::span<const SettingsSystem> queue_settings() { return kQueues; }

}  // namespace artel::plan::detail
