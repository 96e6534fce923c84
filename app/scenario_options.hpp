#pragma once

#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "artel/config/problems.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/study.hpp"

namespace artel::app {

/// What every subcommand that reads a scenario can change in it.
struct ScenarioOptions {
  std::vector<std::string> set;
  std::vector<std::string> sweep;
};

/// Adds --set and --sweep; `options` must live until the command line has been read.
void add_scenario_options(Subcommand command, ScenarioOptions& options);

/// --set as overrides.
/// Errors: of the arguments.
[[nodiscard]] config::Checked<std::vector<scenario::Override>> parse_overrides(
    const std::vector<std::string>& set);

/// The study that the file and the options describe.
/// Errors: those of load_study, and of the arguments.
[[nodiscard]] config::Checked<scenario::Study> load_study(const std::string& path,
                                                          const ScenarioOptions& options);

}  // namespace artel::app
