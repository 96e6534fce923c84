#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/calibrate_options.hpp"
#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/jobs_option.hpp"
#include "app/report_option.hpp"
#include "app/trace_input_options.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/predict/replay.hpp"
#include "artel/report/html_replay.hpp"
#include "artel/report/output_file.hpp"
#include "artel/report/replay_report.hpp"
#include "artel/trace/task_timeline.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {
namespace {

struct ReplayCommand {
  TraceInputOptions input;
  predict::ReplayOptions replay{.jobs = usable_cpus()};
  std::string perfetto;
  std::string report;
  bool json = false;
};

void replay(ReplayCommand& options) {
  const auto trace = load_trace(options.input);
  demand(trace);
  check_report(options.report);
  const auto prediction = [&] {
    const InterruptGuard interrupt;
    options.replay.stop = interrupt.token();
    return predict::replay(*trace, options.replay);
  }();
  demand(prediction);
  demand(report::write_stdout(options.json ? report::replay_json(*prediction)
                                           : report::replay_table(*prediction)));
  if (!options.report.empty())
    write_report(options.report, report::replay_report(*prediction, trace->tasks));
  if (!options.perfetto.empty()) {
    trace::TaskTrace predicted;
    predicted.tasks = prediction->same_work_tasks;
    demand(trace::write_task_timeline(options.perfetto, predicted));
  }
  report_damage(*trace);
}

}  // namespace

void add_replay(CLI::App& artel) {
  auto& command =
      *artel.add_subcommand("replay", "Predict a recorded run in simulated time, and compare");
  const auto options = std::make_shared<ReplayCommand>();
  add_trace_input(command, options->input);
  add_calibrate_options(command, options->replay.calibrate);
  command
      .add_option("--replications", options->replay.replications,
                  "Runs with the fitted workload; 0: none")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
  add_jobs_option(command, options->replay.jobs);
  command.add_flag("--json", options->json, "Everything as JSON (schema artel.replay/1)");
  command
      .add_option("--perfetto", options->perfetto,
                  "Write the predicted run as a timeline for ui.perfetto.dev to this file, too")
      ->type_name("OUT");
  add_report_option(command, options->report);
  command.footer(
      "Two predictions, so that the errors come apart: the recorded arrivals and service times in "
      "a\n"
      "simulated pool of the same options (the model's error), and arrivals and service times "
      "drawn\n"
      "from what was fitted to them (the workload's error in addition).\n\n"
      "Examples:\n"
      "  artel replay pool.trace\n"
      "  artel replay pool.trace --report replay.html\n"
      "  artel replay jobs.log --workers 4 --json\n"
      "  artel replay requests.csv --column submitted=arrival --workers 8 --policy 'jsq(d=2)'\n");
  command.callback([options] { replay(*options); });
}

}  // namespace artel::app
