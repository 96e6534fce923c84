#include <filesystem>
#include <memory>
#include <string>

#include "app/calibrate_options.hpp"
#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/output_options.hpp"
#include "app/trace_input_options.hpp"
#include "artel/file/write_file.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/report/calibration_text.hpp"

namespace artel::app {
namespace {

struct CalibrateCommand {
  TraceInputOptions input;
  predict::CalibrateOptions calibrate;
  std::string scenario;
  std::string arrivals = "recorded";
  OutputOptions output;
};

void calibrate(CalibrateCommand& options) {
  const auto trace = load_trace_to_predict(options.input, options.calibrate.workers);
  demand(trace);
  if (!options.scenario.empty()) demand(file::check_writable(options.scenario));
  options.calibrate.name = std::filesystem::path(options.input.file).stem().string();
  const auto calibration = predict::calibrate(*trace, options.calibrate);
  demand(calibration);
  write_result(options.output, options.output.json ? report::calibration_json(*calibration)
                                                   : report::calibration_text(*calibration));
  if (!options.scenario.empty()) {
    const auto source = options.arrivals == "fitted" ? predict::WorkloadSource::fitted
                                                     : predict::WorkloadSource::recorded;
    demand(predict::write_calibration(options.scenario, *calibration, source));
  }
  report_damage(*trace);
}

constexpr const char* kCalibrateFooter =
    R"(Prints what was found and how well it fits. The scenario says in comments where each number
comes from. A damaged file is used as far as it can be read; the exit status is then 2.

Examples:
  artel calibrate pool.trace -o pool.toml && artel simulate pool.toml
  artel calibrate pool.trace -o pool.toml --arrivals fitted
  artel calibrate requests.csv --column submitted=arrival --workers 8
)";

}  // namespace

void add_calibrate(Subcommand artel) {
  auto command = artel.subcommand("calibrate", "Make a scenario of a recorded run");
  const auto options = std::make_shared<CalibrateCommand>();
  add_trace_input(command, options->input);
  command
      .option("-o,--output", options->scenario,
              "Write the scenario to this file; with recorded arrivals, the tasks of S.toml go to "
              "S.tasks.csv")
      .type_name("S.toml");
  command
      .option("--arrivals", options->arrivals,
              "recorded: the trace's own tasks, one by one; fitted: more of the same, drawn "
              "at random")
      .one_of({"recorded", "fitted"})
      .show_default();
  add_calibrate_options(command, options->calibrate);
  add_json_option(command, options->output, "What was found as JSON (schema artel.calibrate/1)");
  command.footer(kCalibrateFooter);
  command.action([options] { calibrate(*options); });
}

}  // namespace artel::app
