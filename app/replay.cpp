#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "app/calibrate_options.hpp"
#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/interrupt.hpp"
#include "app/output_options.hpp"
#include "app/run_options.hpp"
#include "app/trace_input_options.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/plan/plan_request.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/report/backtest_text.hpp"
#include "artel/report/html_replay.hpp"
#include "artel/report/replay_table.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/write_task_timeline.hpp"

namespace artel::app {
namespace {

struct ReplayCommand {
  TraceInputOptions input;
  predict::ReplayOptions replay{.jobs = usable_cpus()};
  std::string perfetto;
  std::vector<std::string> what_if;
  OutputOptions output;
};

// The recorded run as it was, and changed.
void answer_what_if(const ReplayCommand& options, const trace::TaskTrace& trace) {
  const auto calibration = predict::calibrate(trace, options.replay.calibrate);
  demand(calibration);
  auto after = calibration->recorded;
  for (const auto& text : options.what_if) {
    auto changed = plan::change(after, text);
    if (!changed) changed.error().where = "--what-if";
    demand(changed);
  }
  const auto result = [&] {
    const InterruptGuard interrupt;
    return predict::what_if(calibration->recorded, after, predict::kWhatIfReplications,
                            options.replay.jobs, interrupt.token(), {}, calibration->contention);
  }();
  demand(result);
  for (const auto& note : calibration->notes) fmt::print(stderr, "artel: {}\n", note);
  write_result(options.output, options.output.json ? report::what_if_json(*result)
                                                   : report::what_if_table(*result));
}

void replay(ReplayCommand& options) {
  const auto trace = load_trace_to_predict(options.input, options.replay.calibrate.workers);
  demand(trace);
  check_output(options.output);
  if (!options.what_if.empty()) {
    answer_what_if(options, *trace);
    report_damage(*trace);
    return;
  }
  const auto prediction = [&] {
    const InterruptGuard interrupt;
    options.replay.stop = interrupt.token();
    return predict::replay(*trace, options.replay);
  }();
  demand(prediction);
  write_result(options.output, options.output.json ? report::replay_json(*prediction)
                                                   : report::replay_table(*prediction));
  if (!options.output.report.empty())
    write_report(options.output, report::html_replay(*prediction, trace->tasks));
  if (!options.perfetto.empty()) {
    trace::TaskTrace predicted;
    predicted.tasks = prediction->same_work_tasks;
    demand(trace::write_task_timeline(options.perfetto, predicted));
  }
  report_damage(*trace);
}

constexpr const char* kReplayFooter =
    R"(Two predictions, so that the errors come apart: the recorded arrivals and service times in a
simulated pool of the same options (the model's error), and arrivals and service times drawn
from what was fitted to them (the workload's error in addition).

Examples:
  artel replay pool.trace
  artel replay pool.trace --report replay.html
  artel replay jobs.log --workers 4 --json
  artel replay access.log --what-if workers=4,policy=least_loaded,rate=x1.5
  artel replay requests.csv --column submitted=arrival --workers 8 --policy 'jsq(d=2)'
)";

}  // namespace

void add_replay(Subcommand artel) {
  auto command =
      artel.subcommand("replay", "Predict a recorded run in simulated time, and compare");
  const auto options = std::make_shared<ReplayCommand>();
  add_trace_input(command, options->input);
  add_calibrate_options(command, options->replay.calibrate);
  command
      .option("--replications", options->replay.replications,
              "Runs with the fitted workload; 0: none")
      .range(0, 100'000)
      .show_default();
  command
      .option("--what-if", options->what_if,
              "Instead: the recorded tasks in another pool, beside the recorded one; several with "
              "commas")
      .type_name("workers=N|policy=NAME|rate=xF")
      .split_at(',')
      .one_value_each();
  add_jobs_option(command, options->replay.jobs);
  add_json_option(command, options->output, "Everything as JSON (schema artel.replay/1)");
  command
      .option("--perfetto", options->perfetto,
              "Write the predicted run as a timeline for ui.perfetto.dev to this file, too")
      .type_name("OUT");
  add_report_option(command, options->output);
  command.footer(kReplayFooter);
  command.action([options] { replay(*options); });
}

}  // namespace artel::app
