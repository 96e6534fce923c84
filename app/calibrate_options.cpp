#include "app/calibrate_options.hpp"

#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/predict/calibrate.hpp"

namespace artel::app {

void add_calibrate_options(CLI::App& command, predict::CalibrateOptions& options) {
  command.add_option("--workers", options.workers, "Instead of what the trace says")
      ->check(CLI::Range(1, 100'000));
  command
      .add_option("--policy", options.policy,
                  "Instead of what the trace says: central, random, \"jsq(d=2)\"")
      ->type_name("POLICY");
  command.add_option_function<std::uint64_t>(
      "--seed", [&options](std::uint64_t seed) { options.seed = Seed{seed}; },
      "Of what is drawn at random");
}

}  // namespace artel::app
