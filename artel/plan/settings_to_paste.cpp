#include "artel/plan/settings_to_paste.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/join.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/detail/balancer_settings.hpp"
#include "artel/plan/detail/fewest_workers.hpp"
#include "artel/plan/detail/fleet_settings.hpp"
#include "artel/plan/detail/queue_settings.hpp"
#include "artel/plan/detail/settings_system.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/planned_scenario.hpp"
#include "artel/plan/pool_code.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/objective_text.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::plan {
namespace {

using detail::PolicyWords;
using detail::SettingsAnswer;
using detail::SettingsSystem;

std::vector<SettingsSystem> systems() {
  std::vector<SettingsSystem> all;
  for (const auto some :
       {detail::fleet_settings(), detail::balancer_settings(), detail::queue_settings()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

// Requires: the row has an answer.
SettingsAnswer answer_of(const PlanResult& plan, const PlanRow& row) {
  const auto workers = row.smallest.value_or(1);
  auto pool = detail::resized(plan.scenario.pool, workers);
  SettingsAnswer answer{.policy = row.policy,
                        .speeds = pool.speeds,
                        .bounds = pool.queue_bounds,
                        .common_bound = pool.common_bound,
                        .slots = pool.worker.places(),
                        .scaling = plan.scenario.pool.scaling,
                        .pool = pool_options(plan, row)};
  for (auto& bound : answer.bounds) bound = std::max(row.queue_bound.value_or(bound), answer.slots);
  if (const auto* const trial = row.trial(workers)) {
    const auto value = [&](scenario::Quantity quantity, scenario::Statistic statistic) {
      return trial->result.estimate(quantity, statistic).center;
    };
    answer.utilisation = trial->result.utilisation().center;
    answer.in_system = trial->result.in_system().center / workers;
    answer.wait_max_s = value(scenario::Quantity::wait, scenario::Statistic::max);
  }
  return answer;
}

// The rows with an answer, those with the fewest workers first.
std::vector<const PlanRow*> answered(const PlanResult& plan) {
  std::vector<const PlanRow*> rows;
  for (const auto& row : plan.rows) {
    if (row.smallest) rows.push_back(&row);
  }
  // Of equal ones the first: they lie in one vector.
  std::ranges::sort(rows, {},
                    [](const PlanRow* row) { return std::pair(row->smallest.value_or(0), row); });
  return rows;
}

// "the workers' speeds are 3 × 1, 2 × 0.5"; empty: all are alike.
std::string speeds_text(const SettingsAnswer& answer) {
  std::map<double, std::size_t> kinds;
  for (const double speed : answer.speeds) ++kinds[speed];
  if (kinds.size() == 1) return "";
  std::vector<std::string> texts;
  for (const auto& [speed, number] : kinds)
    texts.push_back(fmt::format("{} × {:g}", number, speed));
  return fmt::format("The workers differ in speed: {}.", join(texts, ", "));
}

// What the fleet of changing size is like under the row's policy; empty: it has one size.
std::string scaled_text(const PlanResult& plan, const PlanRow& row) {
  if (plan.scaled.empty()) return "";
  for (const auto& policy : plan.scaled.front().policies) {
    if (policy.label != row.policy.label) continue;
    const bool met = experiment::judge(policy, plan.slo, plan.level) == experiment::Verdict::met;
    return fmt::format("Scaled it has {:.1f} workers on average, and {} all objectives.",
                       policy.workers().center, met ? "meets" : "does not surely meet");
  }
  return "";
}

// What stands above the block.
std::vector<std::string> remarks(const PlanResult& plan, const PlanRow& row,
                                 const SettingsAnswer& answer, const PolicyWords& words) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}: {} for {}; they are busy {:.1f}% of the time.",
                              row_name(plan, row), how_many(answer.workers(), "worker"),
                              scenario::objectives_text(plan.slo), 100 * answer.utilisation));
  lines.push_back(scaled_text(plan, row));
  const auto* const best = plan.best();
  if (best != nullptr && best->smallest < row.smallest) {
    lines.push_back(fmt::format("{} would need {}, but is not to be had here.",
                                row_name(plan, *best), best->smallest.value_or(0)));
  }
  lines.push_back(words.note);
  lines.push_back(speeds_text(answer));
  constexpr scenario::Features kSet(scenario::Feature::slots);
  if (!features_of(plan.scenario.pool.worker).without(kSet).empty()) {
    lines.emplace_back(
        "How workers serve (order, batches, failures, start-up) is theirs, and not set here.");
  }
  return lines;
}

void add_comment(std::string& text, const SettingsSystem& system, std::string_view line) {
  if (!line.empty()) text += fmt::format("{}{}\n", system.comment, line);
}

}  // namespace

std::vector<std::string_view> settings_systems() {
  std::vector<std::string_view> names;
  for (const auto& system : systems()) names.push_back(system.name);
  return names;
}

std::string settings_systems_text() {
  std::string text;
  for (const auto& system : systems())
    text += fmt::format("{:<15} {}\n{:<15} {}\n", system.name, system.checked, "", system.policies);
  return text;
}

Result<std::string> settings_to_paste(const PlanResult& plan, std::string_view system_name) {
  const auto all = systems();
  const auto system = std::ranges::find(all, system_name, &SettingsSystem::name);
  if (system == all.end()) {
    const auto names = settings_systems();
    return fail(ErrorCode::not_found, unknown_name("system", system_name, names));
  }
  const auto rows = answered(plan);
  if (rows.empty())
    return fail(ErrorCode::not_found, "there is nothing to set: no policy meets the objectives");

  std::string text;
  add_comment(text, *system, fmt::format("Checked for {}", system->checked));
  for (const auto* const row : rows) {
    const auto answer = answer_of(plan, *row);
    const auto words = system->policy(answer);
    if (!words) continue;
    for (const auto& line : remarks(plan, *row, answer, *words)) add_comment(text, *system, line);
    return text + system->block(answer, words->text);
  }
  add_comment(text, *system,
              fmt::format("Nothing to set: {} does not have what was planned ({}).", system->name,
                          row_name(plan, *rows.front())));
  add_comment(text, *system,
              fmt::format("It has {}: plan again with --policy and --queue.", system->policies));
  return text;
}

}  // namespace artel::plan
