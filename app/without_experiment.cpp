// In the place of the subcommands that need component experiment.
#include <string>
#include <tl/expected.hpp>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/fleet_scaling.hpp"
#include "app/left_out.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

std::string scenario_help() { return {}; }

Result<FleetScaling> read_fleet_scaling(const FleetScalingText& /*text*/) {
  return tl::unexpected(left_out("experiment", "artel cluster scale"));
}

void add_demo(Subcommand artel) { add_left_out(artel, "demo", "experiment"); }
void add_simulate(Subcommand artel) { add_left_out(artel, "simulate", "experiment"); }
void add_plan(Subcommand artel) { add_left_out(artel, "plan", "experiment"); }
void add_arena(Subcommand artel) { add_left_out(artel, "arena", "experiment"); }
void add_tune(Subcommand artel) { add_left_out(artel, "tune", "experiment"); }
void add_check(Subcommand artel) { add_left_out(artel, "check", "experiment"); }
void add_import(Subcommand artel) { add_left_out(artel, "import", "experiment"); }
void add_trace(Subcommand artel) { add_left_out(artel, "trace", "experiment"); }
void add_calibrate(Subcommand artel) { add_left_out(artel, "calibrate", "experiment"); }
void add_watch(Subcommand artel) { add_left_out(artel, "watch", "experiment"); }
void add_replay(Subcommand artel) { add_left_out(artel, "replay", "experiment"); }

}  // namespace artel::app
