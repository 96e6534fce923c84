#include "app/run_options.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.hpp"

namespace artel::app {

void add_set_option(Subcommand command, std::vector<std::string>& set, const std::string& what,
                    const std::string& example) {
  command.option("--set", set, fmt::format("Replace one value of {}, like {}", what, example))
      .type_name("KEY=VALUE")
      .one_value_each();
}

void add_seed_option(Subcommand command, std::optional<std::uint64_t>& seed) {
  command.option("--seed", seed, "Instead of the scenario's run.seed").seed();
}

void add_jobs_option(Subcommand command, unsigned& jobs) {
  command.option("-j,--jobs", jobs, "Threads; results do not depend on it")
      .range(1, 4096)
      .show_default();
}

}  // namespace artel::app
