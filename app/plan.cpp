#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/installed_scenario.hpp"
#include "app/interrupt.hpp"
#include "app/output_options.hpp"
#include "app/progress_line.hpp"
#include "app/run_options.hpp"
#include "app/scenario_options.hpp"
#include "app/trace_input_options.hpp"
#include "artel/config/problems.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/experiment/observed_policies.hpp"
#include "artel/file/write_file.hpp"
#include "artel/plan/add_usual_policies.hpp"
#include "artel/plan/growth.hpp"
#include "artel/plan/plan.hpp"
#include "artel/plan/plan_request.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/planned_scenario.hpp"
#include "artel/plan/settings_to_paste.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/scenario_to_plan.hpp"
#include "artel/report/backtest_text.hpp"
#include "artel/report/html_plan.hpp"
#include "artel/report/plan_json.hpp"
#include "artel/report/plan_table.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {
namespace {

struct PlanCommand {
  TraceInputOptions input;  // or a scenario
  std::string workers;
  std::string arrivals;
  std::vector<std::string> set;
  std::vector<std::string> settings;  // systems
  plan::PlanRequest request;
  OutputOptions output;
  std::optional<std::uint64_t> seed;
  plan::PlanOptions plan{.jobs = usable_cpus()};
};

// What the result holds; a refusal says which option was wrong.
template <class T>
T taken(Result<T> result, const std::string& option) {
  if (!result && result.error().where.empty()) result.error().where = option;
  demand(result);
  return *std::move(result);
}

// The first that was given of options that make no sense here ends the command.
void refuse_options(std::initializer_list<std::pair<const char*, bool>> given, const char* reason) {
  for (const auto& [option, is_given] : given) {
    if (is_given) refuse({ErrorCode::invalid, reason, option});
  }
}

scenario::Scenario load_scenario(const PlanCommand& arguments) {
  const auto* const of_a_log = given_log_option(arguments.input);
  refuse_options({{of_a_log, of_a_log != nullptr},
                  {"FILE FILE", !arguments.input.more.empty()},
                  {"--workers", !arguments.workers.empty()},
                  {"--arrivals", !arguments.arrivals.empty()}},
                 "goes with a trace, not with a scenario (a file whose name ends in .toml)");
  auto set = arguments.set;
  if (arguments.seed) set.push_back(fmt::format("run.seed={}", *arguments.seed));
  const auto overrides = parse_overrides(set);
  auto scenario = overrides
                      ? scenario::load_scenario(installed_scenario(arguments.input.file),
                                                *overrides, scenario::Overload::allow)
                      : config::Checked<scenario::Scenario>(tl::unexpected(overrides.error()));
  if (!scenario) {
    print_errors(scenario.error());
    finish(ExitStatus::bad_input);
  }
  const auto& pool = scenario->pool;
  refuse_options(
      {{"--scaling", !arguments.request.scaling.empty() && is_of_threads(*scenario) &&
                         (pool.take_over || pool.stealing != dispatch::Stealing::none ||
                          !pool.wake_ups.empty() || pool.task_overhead > Duration::zero())}},
      "does not go with pool.take_over, stealing, wake_up and task_overhead, which are "
      "of threads");
  return *std::move(scenario);
}

/// What was recorded, as it is told and tested beside the plan.
struct RecordedFleet {
  trace::TaskTrace trace;
  predict::CalibrateOptions calibrate;
  std::string text;
  std::string json;
};

// "8" or "now=8"; nothing: the trace says.
std::optional<std::uint32_t> workers_now(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto number = text.starts_with("now=") ? text.substr(4) : text;
  const auto workers = parse_number<std::uint32_t>(number);
  if (!workers || *workers < 1 || *workers > plan::kFleetMax) {
    refuse({ErrorCode::invalid,
            fmt::format("found '{}', allowed: 1 to {}, as in now=8", text, plan::kFleetMax),
            "--workers"});
  }
  return workers;
}

// The recorded run: its own policy, and one common queue beside it.
scenario::Scenario load_recorded(const PlanCommand& arguments,
                                 std::optional<RecordedFleet>& fleet) {
  refuse_options({{"--set", !arguments.set.empty()}},
                 "goes with a scenario; artel calibrate makes one of a trace");
  const auto workers = workers_now(arguments.workers);
  auto trace = load_trace_to_predict(arguments.input, workers);
  demand(trace);
  predict::CalibrateOptions options{
      .name = std::filesystem::path(arguments.input.file).filename().string(), .workers = workers};
  if (arguments.seed) options.seed = Seed{*arguments.seed};
  auto calibration = taken(predict::calibrate(*trace, options), arguments.input.file);
  for (const auto& note : calibration.notes) fmt::print(stderr, "artel: {}\n", note);
  print_damage(*trace);
  auto text = report::fleet_text(*trace, calibration);
  auto json = report::fleet_json(*trace, calibration);
  fleet.emplace(RecordedFleet{*std::move(trace), options, std::move(text), std::move(json)});
  auto scenario =
      taken(predict::scenario_to_plan(calibration, arguments.arrivals == "fitted"
                                                       ? predict::WorkloadSource::fitted
                                                       : predict::WorkloadSource::recorded),
            "");
  if (calibration.policy.empty() && arguments.request.policies.empty())
    demand(plan::add_usual_policies(scenario));
  return scenario;
}

scenario::Scenario load(const PlanCommand& arguments, std::optional<RecordedFleet>& fleet) {
  return arguments.input.file.ends_with(".toml") ? load_scenario(arguments)
                                                 : load_recorded(arguments, fleet);
}

// How well the first half of what was recorded predicts the other one.
Result<predict::Backtest> backtest(const RecordedFleet& fleet, unsigned jobs) {
  const InterruptGuard interrupt;
  return predict::backtest(fleet.trace,
                           {.calibrate = fleet.calibrate, .jobs = jobs, .stop = interrupt.token()});
}

// Whether the systems are only to be listed; unknown ones end the command.
bool only_lists(const std::vector<std::string>& settings) {
  const auto known = plan::settings_systems();
  for (const auto& system : settings) {
    if (system == "list") return true;
    if (std::ranges::find(known, system) == known.end())
      refuse({ErrorCode::not_found, unknown_name("system", system, known), "--settings"});
  }
  return false;
}

// What makes the plan come true, to be pasted: for the systems asked for, or else as C++.
std::string paste(const plan::PlanResult& result, const std::vector<std::string>& settings) {
  std::string text;
  if (!result.complete) return text;
  if (settings.empty()) {
    const auto code = report::plan_code(result);
    return code.empty() ? text : "\nThe pool that does it:\n\n" + code;
  }
  for (const auto& system : settings) {
    if (const auto block = plan::settings_to_paste(result, system))
      text += fmt::format("\nSettings of {}:\n\n{}", system, *block);
  }
  return text;
}

void plan(PlanCommand& arguments) {
  if (only_lists(arguments.settings)) {
    demand(file::write_stdout(plan::settings_systems_text()));
    return;
  }
  if (arguments.input.file.empty()) {
    refuse({ErrorCode::invalid, "file is required: a scenario, a trace or a log", "artel plan"});
  }
  std::optional<RecordedFleet> fleet;
  auto scenario = load(arguments, fleet);
  auto& options = arguments.plan;
  auto asked = plan::apply(arguments.request, scenario, options);
  if (!asked) asked.error().where = "--" + asked.error().where;
  demand(asked);
  check_output(arguments.output);

  std::optional<experiment::ObservedPolicies> observed;
  std::vector<plan::Growth> growth;
  const auto result = [&] {
    const InterruptGuard interrupt;
    ProgressLine line("planning");
    options.stop = interrupt.token();
    options.progress = [&](const plan::PlanProgress& progress) {
      line.show(fmt::format("{} of {} settled, {:.1f} replications", progress.settled,
                            progress.rows,
                            static_cast<double>(progress.replications) + progress.under_way));
    };
    auto found = taken(plan::plan(scenario, options), "artel plan");
    if (!arguments.output.report.empty() && found.complete && found.best() != nullptr) {
      observed = experiment::observe_policies(plan::planned_scenario(found),
                                              {.jobs = options.jobs, .stop = options.stop});
      growth = plan::growth(found, {.jobs = options.jobs, .stop = options.stop});
    }
    return found;
  }();

  std::string text;
  report::RecordedJson recorded{.fleet = fleet ? fleet->json : ""};
  if (fleet && result.complete) {
    const auto test = backtest(*fleet, options.jobs);
    recorded.backtest = report::backtest_json(test);
    text = "\n" + report::backtest_text(test);
  }
  if (arguments.output.json) {
    text = report::plan_json(result, arguments.settings, recorded);
  } else {
    text = report::plan_table(result) + "\n" + report::plan_answer(result) +
           paste(result, arguments.settings) + text;
    if (fleet) text = fleet->text + "\n" + text;
  }
  write_result(arguments.output, text, result.complete ? Outcome::finished : Outcome::interrupted);
  if (!result.complete) finish_interrupted(arguments.output, "the plan is marked incomplete");
  if (!arguments.output.report.empty())
    write_report(arguments.output, report::html_plan(result, observed, recorded, growth));
  if (result.best() == nullptr) finish(ExitStatus::failed);
}

constexpr const char* kPlanFooter =
    R"(The arrivals stay as they are, whatever the number of workers. Exit status: 0 a pool was
found, 1 none meets the objectives, 2 bad input, 130 interrupted (the part that is known is printed,
the files of -o and --report stay as they are).

Examples:
  artel plan scenarios/llm-code.toml
  artel plan scenarios/llm-code.toml --report plan.html
  artel plan scenarios/mm8.toml --slo 'p99<6s' --rate x1.5 --price 0.12/h
  artel plan scenarios/mm8.toml --slo 'mean_wait<50ms' --policy 'jsq(d=3)' --queue 1,4,inf
  artel plan pool.trace --slo 'p99<80ms,rejected<0.1%' --json
  artel plan access.log.gz --slo 'p99<300ms' --workers now=8 --settings haproxy
  artel plan scenarios/web-fleet.toml --scaling knative --scaling 'predictive(min=2, max=24)'
  artel plan access.log --slo 'p99<300ms' --scaling 'hpa(target=0.6, max=30)' --settings kubernetes-hpa
  artel plan --settings list
)";

// What is looked for.
void add_search_options(Subcommand command, PlanCommand& arguments) {
  command
      .option("file", arguments.input.file,
              "Scenario (a .toml file), a trace recorded by a pool, CSV, or a log: nginx, Envoy, "
              "HAProxy, JSON, Slurm, …; - is standard input")
      .type_name("FILE")
      .or_standard_input();
  add_more_files(command, arguments.input);
  command
      .option("--slo", arguments.request.slo,
              "Objective, like p99<80ms, mean_wait<5ms or rejected<0.1%; instead of the "
              "scenario's [slo]; several combine, with commas too")
      .type_name("NAME<LIMIT")
      .one_value_each();
  command
      .option("--policy", arguments.request.policies,
              "Only this policy; one of the scenario's, or any, like 'jsq(d=3)'; repeat for "
              "several")
      .type_name("NAME")
      .suggest(scenario::policy_names())
      .one_value_each();
  command
      .option("--queue", arguments.request.queues,
              "Try these bounds on each worker's queue, the running task included: 1,4,inf")
      .type_name("BOUNDS")
      .split_at(',')
      .one_value_each();
  command
      .option("--rate", arguments.request.rate,
              "More or less than the scenario's arrivals: x1.5, or tasks per second, 300/s")
      .type_name("CHANGE");
  command
      .option("--confidence", arguments.plan.confidence,
              "Probability with which each verdict is to be right")
      .show_default();
  command
      .option("--price", arguments.request.price,
              "Of one worker, like 0.12/h or 3/d: adds a column with the cost")
      .type_name("PRICE");
  command
      .option("--settings", arguments.settings,
              "Print what to paste into the configuration of this system, instead of C++: nginx, "
              "kubernetes-hpa, celery, …; several with commas; 'list' shows all")
      .type_name("SYSTEM")
      .suggest(plan::settings_systems())
      .split_at(',')
      .one_value_each();
  command.option("--max-workers", arguments.plan.workers_max, "Give up beyond so many")
      .show_default();
}

// What is changed in the scenario, or said instead of the trace.
void add_input_options(Subcommand command, PlanCommand& arguments) {
  command
      .option("--arrivals", arguments.arrivals,
              "Of a trace: recorded, its own tasks one by one (the default), or fitted, more of "
              "the same drawn at random")
      .one_of({"recorded", "fitted"})
      .type_name("KIND");
  add_log_options(command, arguments.input);
  command
      .option("--workers", arguments.workers,
              "How many the recorded run had, instead of what the trace says: 8, or now=8")
      .type_name("NUMBER");
  command
      .option("--scaling", arguments.request.scaling,
              "Compare with a fleet that grows and shrinks by this policy and gets the same tasks, "
              "with "
              "the keys of [pool.scaling]: 'hpa(target=0.6, min=2, max=30, start_up=40s)', keda, "
              "knative, timetable, predictive; repeat for several")
      .type_name("POLICY")
      .one_value_each();
  add_set_option(command, arguments.set, "the scenario", "run.replications=20");
}

}  // namespace

void add_plan(Subcommand artel) {
  auto command = artel.subcommand(
      "plan", "Find the smallest pool per policy that meets an objective, in simulated time");
  const auto arguments = std::make_shared<PlanCommand>();
  add_search_options(command, *arguments);
  add_input_options(command, *arguments);
  add_seed_option(command, arguments->seed);
  add_jobs_option(command, arguments->plan.jobs);
  add_json_option(command, arguments->output, "Everything as JSON (schema artel.plan/1)");
  add_output_option(command, arguments->output);
  add_report_option(command, arguments->output);
  command.footer(kPlanFooter);
  command.action([arguments] { plan(*arguments); });
}

}  // namespace artel::app
