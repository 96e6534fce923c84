#include "app/calibrate_options.hpp"

#include <cstdint>

#include "app/command_line.hpp"
#include "artel/core/id.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/scenario/policy_names.hpp"

namespace artel::app {

void add_calibrate_options(Subcommand command, predict::CalibrateOptions& options) {
  command.option("--workers", options.workers, "Instead of what the trace says").range(1, 100'000);
  command
      .option("--policy", options.policy,
              "Instead of what the trace says: central, random, \"jsq(d=2)\"")
      .type_name("POLICY")
      .suggest(scenario::policy_names());
  command
      .number_option(
          "--seed", [&options](std::uint64_t seed) { options.seed = Seed{seed}; },
          "Of what is drawn at random")
      .seed();
}

}  // namespace artel::app
