#include "app/scenario_options.hpp"

#include <tl/expected.hpp>
#include <utility>
#include <vector>
#include "app/command_line.hpp"
#include "app/installed_scenario.hpp"
#include "app/run_options.hpp"
#include "artel/config/problems.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"

namespace artel::app {

void add_scenario_options(Subcommand command, ScenarioOptions& options) {
  add_set_option(command, options.set, "the scenario", "pool.workers=16");
  command
      .option("--sweep", options.sweep,
              "Try several values, like pool.workers=8..32:4 or dispatch.staleness=1s,5s; "
              "replaces the scenario's [sweep]; several combine")
      .type_name("KEY=VALUES")
      .one_value_each();
}

config::Checked<std::vector<scenario::Override>> parse_overrides(
    const std::vector<std::string>& set) {
  std::vector<scenario::Override> overrides;
  config::Errors errors;
  for (const auto& argument : set) {
    auto override = scenario::parse_override(argument);
    if (override) {
      overrides.push_back(std::move(*override));
    } else {
      errors.push_back(override.error());
    }
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return overrides;
}

config::Checked<scenario::Study> load_study(const std::string& path,
                                            const ScenarioOptions& options) {
  auto overrides = parse_overrides(options.set);
  auto errors = overrides ? config::Errors{} : overrides.error();
  std::vector<scenario::SweepAxis> axes;
  for (const auto& argument : options.sweep) {
    auto axis = scenario::parse_sweep(argument);
    if (axis) {
      axes.push_back(std::move(*axis));
    } else {
      errors.push_back(axis.error());
    }
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return scenario::load_study(installed_scenario(path), *overrides, axes);
}

}  // namespace artel::app
