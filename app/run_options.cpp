#include "app/run_options.hpp"

#include <cstdint>
#include <optional>

#include "app/command_line.hpp"

namespace artel::app {

void add_seed_option(Subcommand command, std::optional<std::uint64_t>& seed) {
  command.option("--seed", seed, "Instead of the scenario's run.seed");
}

void add_jobs_option(Subcommand command, unsigned& jobs) {
  command.option("-j,--jobs", jobs, "Threads; results do not depend on it")
      .range(1, 4096)
      .show_default();
}

}  // namespace artel::app
