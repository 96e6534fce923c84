#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::arena {

/// A scenario in which policies meet.
struct Match {
  std::string name;                 ///< of the file, without its ending
  scenario::Scenario scenario;      ///< with those of the policies that can run there
  std::vector<std::string> cannot;  ///< of every policy: why it cannot run there; empty: it can
};

/// Reads the scenario and puts the policies in the place of its own; its [sweep] and run.precision
/// play no part.
/// Errors: those of load_scenario; an objective with the limit 0, of which nobody can use a part;
///         if none of the policies can run there, why not the first.
[[nodiscard]] config::Checked<Match> load_match(const std::filesystem::path& path,
                                                std::span<const scenario::PolicySpec> policies,
                                                std::span<const scenario::Override> overrides = {});

}  // namespace artel::arena
