#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/calibrate_options.hpp"
#include "app/command.hpp"
#include "app/trace_input_options.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/report/calibrate_report.hpp"
#include "artel/report/output_file.hpp"

namespace artel::app {
namespace {

struct CalibrateCommand {
  TraceInputOptions input;
  predict::CalibrateOptions calibrate;
  std::string output;
  std::string arrivals = "recorded";
  bool json = false;
};

void calibrate(CalibrateCommand& options) {
  const auto trace = load_trace(options.input);
  demand(trace);
  options.calibrate.name = std::filesystem::path(options.input.file).stem().string();
  const auto calibration = predict::calibrate(*trace, options.calibrate);
  demand(calibration);
  demand(report::write_stdout(options.json ? report::calibration_json(*calibration)
                                           : report::calibration_text(*calibration)));
  if (!options.output.empty()) {
    const auto source = options.arrivals == "fitted" ? predict::WorkloadSource::fitted
                                                     : predict::WorkloadSource::recorded;
    demand(predict::write_calibration(options.output, *calibration, source));
  }
  report_damage(*trace);
}

}  // namespace

void add_calibrate(CLI::App& artel) {
  auto& command = *artel.add_subcommand("calibrate", "Make a scenario of a recorded run");
  const auto options = std::make_shared<CalibrateCommand>();
  add_trace_input(command, options->input);
  command
      .add_option("-o,--output", options->output,
                  "Write the scenario to this file; with recorded arrivals, its tasks to one of "
                  "the same name with .csv")
      ->type_name("S.toml");
  command
      .add_option("--arrivals", options->arrivals,
                  "recorded: the trace's own tasks, one by one; fitted: more of the same, drawn "
                  "at random")
      ->check(CLI::IsMember({"recorded", "fitted"}))
      ->capture_default_str();
  add_calibrate_options(command, options->calibrate);
  command.add_flag("--json", options->json, "What was found as JSON (schema artel.calibrate/1)");
  command.footer(
      "Prints what was found and how well it fits. The scenario says in comments where each "
      "number\n"
      "comes from. A damaged file is used as far as it can be read; the exit status is then 2.\n\n"
      "Examples:\n"
      "  artel calibrate pool.trace -o pool.toml && artel simulate pool.toml\n"
      "  artel calibrate pool.trace -o pool.toml --arrivals fitted\n"
      "  artel calibrate requests.csv --column submitted=arrival --workers 8\n");
  command.callback([options] { calibrate(*options); });
}

}  // namespace artel::app
