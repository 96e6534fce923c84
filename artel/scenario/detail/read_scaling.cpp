#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/core/instant.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario::detail {
namespace {

scaling::ScalingMetric metric_of(std::string_view word) {
  if (word == "in_system") return scaling::ScalingMetric::in_system;
  if (word == "waiting") return scaling::ScalingMetric::waiting;
  if (word == "arrivals") return scaling::ScalingMetric::arrivals;
  return scaling::ScalingMetric::in_service;
}

/// Reads the keys of one kind of policy over its defaults.
class ScalingReader {
 public:
  ScalingReader(const config::TableReader& reader, config::Problems& problems)
      : reader_(reader), problems_(problems) {}

  scaling::ScalingPolicy read(std::string_view kind) {
    if (kind == "keda") return keda();
    if (kind == "knative") return knative();
    if (kind == "timetable") return timetable();
    if (kind == "predictive") return predictive();
    scaling::Hpa hpa;
    take(hpa);
    return hpa;
  }

 private:
  void take(std::string_view key, double& number) {
    if (reader_.has(key)) number = reader_.number(key);
  }
  void take(std::string_view key, Duration& duration) {
    if (reader_.has(key)) duration = reader_.duration(key);
  }
  void take(std::string_view key, std::uint32_t& count) {
    if (reader_.has(key)) count = static_cast<std::uint32_t>(reader_.count(key));
  }

  void take(scaling::Hpa& hpa) {
    take("period", hpa.period);
    if (reader_.has("metric")) hpa.metric = metric_of(reader_.word("metric"));
    take("target", hpa.target);
    take("tolerance", hpa.tolerance);
    take("stabilisation_up", hpa.stabilisation_up);
    take("stabilisation_down", hpa.stabilisation_down);
    take("up_percent", hpa.up.percent);
    take("up_workers", hpa.up.workers);
    take("up_within", hpa.up.within);
    take("down_percent", hpa.down.percent);
    take("down_workers", hpa.down.workers);
    take("down_within", hpa.down.within);
  }

  scaling::Keda keda() {
    scaling::Keda keda;
    take(keda.hpa);
    take("polling", keda.polling);
    take("activation", keda.activation);
    take("cooldown", keda.cooldown);
    return keda;
  }

  scaling::Knative knative() {
    scaling::Knative knative;
    take("period", knative.period);
    take("target", knative.target);
    take("stable_window", knative.stable_window);
    take("panic_window_percent", knative.panic_window_percent);
    take("panic_threshold", knative.panic_threshold);
    take("max_up_rate", knative.max_up_rate);
    take("max_down_rate", knative.max_down_rate);
    take("zero_grace", knative.zero_grace);
    return knative;
  }

  scaling::Timetable timetable() {
    scaling::Timetable table;
    take("period", table.period);
    take("day", table.day);
    for (const auto& item : reader_.items("entries")) {
      const config::TableReader entry(scenario_schema(), item, "pool.scaling.entries[]", problems_);
      table.entries.push_back(
          {entry.duration("from"), static_cast<std::uint32_t>(entry.count("workers"))});
    }
    return table;
  }

  scaling::Predictive predictive() {
    scaling::Predictive predictive;
    take("period", predictive.period);
    take("window", predictive.window);
    take("lead", predictive.lead);
    take("hold", predictive.hold);
    take("waiting", predictive.waiting);
    return predictive;
  }

  const config::TableReader& reader_;
  config::Problems& problems_;
};

}  // namespace

std::optional<ScalingSettings> read_scaling(const config::TableReader& pool,
                                            const PoolSettings& settings,
                                            config::Problems& problems) {
  const auto& table = pool.table("scaling");
  const auto kind =
      config::TableReader::kind_of(scenario_schema(), table, "pool.scaling", "policy", problems);
  if (!kind) return std::nullopt;
  const config::TableReader reader(scenario_schema(), table, "pool.scaling", problems,
                                   {.kind = *kind});
  ScalingSettings scaling{.policy = ScalingReader(reader, problems).read(*kind), .limits = {}};
  if (auto* predictive = std::get_if<scaling::Predictive>(&scaling.policy))
    predictive->slots = settings.worker.slots;
  scaling.limits = {static_cast<std::uint32_t>(reader.count("min")),
                    static_cast<std::uint32_t>(reader.count("max"))};
  if (reader.has("start_up")) {
    if (auto time = read_law(reader, "start_up", "pool.scaling.start_up", problems))
      scaling.start_up = *std::move(time);
  }
  scaling.metric_delay = reader.duration("metric_delay");
  if (!problems.empty()) return std::nullopt;
  const auto workers = settings.speeds.size();
  if (scaling.limits.min > scaling.limits.max) {
    reader.refuse("min", fmt::format("found {}, allowed: at most max, {}", scaling.limits.min,
                                     scaling.limits.max));
  } else if (workers < scaling.limits.min || workers > scaling.limits.max) {
    reader.refuse("max", fmt::format("pool.workers is {}, allowed: {} to {}", workers,
                                     scaling.limits.min, scaling.limits.max));
  } else if (const auto good = scaling::check(scaling.policy, scaling.limits); !good) {
    pool.refuse("scaling", good.error().what);
  }
  return scaling;
}

}  // namespace artel::scenario::detail
