#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/output_options.hpp"
#include "app/scenario_options.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/scenario/study.hpp"

namespace artel::app {

/// What `artel simulate` was asked for.
struct SimulateCommand {
  std::string file;
  ScenarioOptions scenario;
  std::optional<std::uint64_t> seed;
  unsigned jobs = usable_cpus();
  OutputOptions output;
  std::string resume;
  bool csv = false;
  bool schema = false;
  bool json_schema = false;
};

/// Does it with this study, whatever file is named, and finishes the running subcommand if that
/// cannot be.
void simulate(SimulateCommand& options, const scenario::Study& study);

}  // namespace artel::app
