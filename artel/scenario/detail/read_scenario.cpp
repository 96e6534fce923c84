#include "artel/scenario/detail/read_scenario.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/scenario/conflicts.hpp"
#include "artel/scenario/detail/trace_store.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/overload.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario::detail {
namespace {

// Whether queues cannot grow without end, since the file says where it ends, or nobody comes while
// others wait.
bool ends(const Scenario& scenario, const config::TomlValue& root) {
  const auto* run = root.find("run");
  return std::holds_alternative<TraceArrivals>(scenario.workload.arrivals) ||
         timetable_of(scenario.workload.arrivals) != nullptr ||
         std::holds_alternative<ClosedArrivals>(scenario.workload.arrivals) ||
         (run != nullptr && (run->find("tasks") != nullptr || run->find("duration") != nullptr));
}

// An open workload that no steady state exists for must say where it ends.
void check_load(const Scenario& scenario, const config::TomlValue& root,
                config::Problems& problems) {
  const auto& policies = scenario.dispatch.policies;
  const bool grows = std::any_of(policies.begin(), policies.end(), [&](const PolicySpec& policy) {
    return takes_all(scenario.pool, policy);
  });
  const double growth = static_cast<double>(scenario.pool.workers_max()) /
                        static_cast<double>(scenario.pool.speeds.size());
  if (ends(scenario, root) || scenario.workload.sheds() || scenario.load() < growth || !grows)
    return;
  const auto& arrivals = *root.find("workload")->find("arrivals");
  const auto* load = arrivals.find("load");
  const auto* rate = arrivals.find("rate");
  const auto* given = load != nullptr ? load : rate != nullptr ? rate : &arrivals;
  problems.add(
      given->place,
      fmt::format(
          "workload.arrivals: the load is {:.3g} and the queues are unbounded, so that they "
          "grow without end; allowed: a load below 1, bounded queues that reject "
          "(pool.queue_bound, pool.common_bound), or an end (run.tasks, run.duration)",
          scenario.load()));
}

// The objectives of classes or of stages, if there is such a list.
void add_group_slos(const config::TomlValue* list, std::size_t first, std::string_view shown,
                    std::vector<Objective>& slo, config::Problems& problems) {
  if (list == nullptr) return;
  std::ranges::move(read_group_slos(*list, first, shown, problems), std::back_inserter(slo));
}

// Simulated time ends after 292 years; chance and the last tasks get the rest.
void check_length(const Scenario& scenario, const config::TomlValue& root,
                  config::Problems& problems) {
  constexpr double kYear = 365.25 * 86'400;
  constexpr double kYearsMax = 200;
  const auto& run = scenario.run;
  if (!run.tasks || run.duration || scenario.workload.rate <= 0) return;
  const double seconds =
      static_cast<double>(*run.tasks) / scenario.workload.rate * std::max(1.0, scenario.load());
  if (seconds <= kYearsMax * kYear) return;
  const auto* table = root.find("run");
  const auto* given = table != nullptr ? table->find("tasks") : nullptr;
  if (given == nullptr) given = root.find("workload")->find("arrivals");
  problems.add(given->place, fmt::format("run.tasks: {} tasks take some {:.3g} years; allowed: as "
                                         "many as take {} years, or a run.duration",
                                         *run.tasks, seconds / kYear, kYearsMax));
}

void check_conflicts(const Scenario& scenario, const config::TomlValue& root,
                     config::Problems& problems) {
  for (const auto& [table, key, what] : conflicts(scenario)) {
    const auto* found = root.find(table);
    const auto* value = found == nullptr ? nullptr : found->find(key);
    problems.add(value == nullptr ? config::SourcePosition{} : value->place, what);
  }
}

// Stages after the first have loads of their own.
void check_stages(const Scenario& scenario, const config::TomlValue& root,
                  config::Problems& problems) {
  if (scenario.stages.empty()) return;
  const auto& stages = *root.find("stages");
  if (!scenario.workload.callers.plain() && scenario.workload.fork > 1)
    problems.add(root.find("workload")->find("callers")->place,
                 "workload.callers: does not go with stages and workload.fork together: callers "
                 "wait for each part, the stages come after all parts have met; allowed: calls "
                 "of a stage instead of fork");
  for (std::size_t i = 0; i < scenario.stages.size(); ++i) {
    const auto& stage = scenario.stages[i];
    for (const auto& conflict : pool_conflicts(scenario, stage.pool))
      problems.add(stages.items[i].place, "stages." + conflict.what);
    const double load = stage.load(scenario.workload.rate);
    const bool grows = std::ranges::any_of(
        scenario.dispatch.policies,
        [&](const PolicySpec& policy) { return takes_all(stage.pool, policy); });
    if (load < 1 || !grows || ends(scenario, root)) continue;
    problems.add(stages.items[i].place,
                 fmt::format("stages: the load of '{}' is {:.3g} and its queues are unbounded; "
                             "allowed: a load below 1, bounded queues that reject, or an end "
                             "(run.tasks, run.duration)",
                             stage.name, load));
  }
}

}  // namespace

config::Checked<Scenario> read_scenario(const config::TomlValue& root, const std::string& file_name,
                                        TraceStore& traces, Overload overload,
                                        const PoolSettings* load_pool) {
  config::Problems problems(file_name);
  if (root.entries.empty()) {
    problems.add(config::SourcePosition{},
                 "the scenario is empty; expected [workload], [pool] and [dispatch]");
    return tl::unexpected(problems.take());
  }
  const std::filesystem::path path(file_name);
  const config::TableReader reader(scenario_schema(), root, "", problems);
  Scenario scenario;
  scenario.name = reader.has("name") ? reader.text("name") : path.stem().string();
  const auto folder = path.parent_path();
  if (reader.has("pool")) scenario.pool = read_pool(reader.table("pool"), folder, problems);
  if (reader.has("workload")) {
    scenario.workload =
        read_workload(reader.table("workload"), scenario.pool,
                      load_pool != nullptr ? *load_pool : scenario.pool, folder, traces, problems);
  }
  if (reader.has("dispatch"))
    scenario.dispatch = read_dispatch(reader.table("dispatch"), folder, problems);
  if (reader.has("stages")) scenario.stages = read_stages(reader, folder, problems);
  scenario.run = read_run(reader.table("run"), scenario.workload, problems);
  scenario.slo = read_slo(reader.table("slo"), problems);
  add_group_slos(reader.table("workload").find("classes"), 0, "workload.classes.slo", scenario.slo,
                 problems);
  add_group_slos(root.find("stages"), scenario.workload.classes.size() + 1, "stages.slo",
                 scenario.slo, problems);
  scenario.sweep = read_sweep(reader.table("sweep"), file_name, problems);
  scenario.price_per_hour = read_price(reader.table("plan"), problems);
  if (problems.empty()) check_conflicts(scenario, root, problems);
  if (problems.empty()) check_stages(scenario, root, problems);
  if (problems.empty()) check_length(scenario, root, problems);
  if (problems.empty() && overload == Overload::refuse) check_load(scenario, root, problems);
  if (!problems.empty()) return tl::unexpected(problems.take());
  return scenario;
}

}  // namespace artel::scenario::detail
