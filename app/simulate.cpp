#include "app/simulate_command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/interrupt.hpp"
#include "app/output_options.hpp"
#include "app/progress_line.hpp"
#include "app/run_options.hpp"
#include "app/scenario_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/experiment/observed_policies.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/result_file.hpp"
#include "artel/file/write_file.hpp"
#include "artel/report/experiment_csv.hpp"
#include "artel/report/experiment_json.hpp"
#include "artel/report/experiment_summary.hpp"
#include "artel/report/experiment_table.hpp"
#include "artel/report/html_experiment.hpp"
#include "artel/scenario/scenario_json_schema.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/study.hpp"

namespace artel::app {
namespace {

std::string report_text(const SimulateCommand& options, const scenario::Study& study,
                        const experiment::ExperimentResult& result) {
  if (options.output.json) return report::experiment_json(study, result);
  if (options.csv) return report::experiment_csv(study, result);
  return report::experiment_table(study, result) + report::experiment_answer(study, result);
}

using Known = std::optional<experiment::ExperimentResult>;

// What an interrupted run of the study left behind in `file`.
Known left_in(const file::ResultFile& file, const scenario::Study& study, const char* advice) {
  auto known =
      file.resume([&](std::string_view text) { return report::resumed_experiment(study, text); });
  if (!known) known.error().what += advice;
  demand(known);
  return *std::move(known);
}

// What an earlier run of the study has found already. With --json -o FILE it is resumed without
// being asked for; with --resume, too, FILE must have nothing else that an interruption would
// replace.
Known known_before(const SimulateCommand& options, const scenario::Study& study,
                   const std::optional<file::ResultFile>& kept) {
  auto known = kept ? left_in(*kept, study, "; remove it, or give another --output") : Known();
  if (options.resume.empty()) return known;
  known = left_in(file::ResultFile(options.resume), study, "");
  if (known) return known;
  refuse({ErrorCode::invalid, "is not the JSON of an interrupted artel simulate", options.resume});
}

bool has_replications(const experiment::ExperimentResult& result) {
  return std::ranges::any_of(result.points, [](const experiment::PointResult& point) {
    return std::ranges::any_of(point.policies, [](const experiment::PolicyResult& policy) {
      return !policy.replications.empty();
    });
  });
}

}  // namespace

std::string scenario_help() { return scenario::scenario_schema_text(); }

void simulate(SimulateCommand& options, const scenario::Study& study) {
  check_output(options.output);
  std::optional<file::ResultFile> kept;
  if (options.output.json && !options.output.file.empty()) kept.emplace(options.output.file);
  const auto known = known_before(options, study, kept);

  std::optional<experiment::ObservedPolicies> observed;
  const auto result = [&] {
    const InterruptGuard interrupt;
    ProgressLine line("simulating");
    auto measured = experiment::run_experiment(
        study, {.jobs = options.jobs,
                .stop = interrupt.token(),
                .progress =
                    [&](const experiment::ExperimentProgress& progress) {
                      line.show(progress.done, progress.total, progress.under_way);
                    },
                .checkpoint =
                    [&](const experiment::ExperimentResult& so_far) {
                      if (kept)
                        kept->keep(steady_now(),
                                   [&] { return report::experiment_json(study, so_far); });
                    },
                .resume = known ? &*known : nullptr});
    if (!options.output.report.empty() && measured.complete) {
      const auto point = report::point_of_interest(study, measured);
      observed = experiment::observe_policies(study.points[point].scenario,
                                              {.jobs = options.jobs, .stop = interrupt.token()});
    }
    return measured;
  }();

  if (result.error) {
    print_errors({*result.error});
    if (!has_replications(result)) finish(ExitStatus::failed);
  }
  const auto text = report_text(options, study, result);
  const bool whole = result.complete && !result.error;
  if (whole && kept) {
    demand(kept->finish(text));
  } else if (kept) {
    demand(kept->interrupt(text));
  } else {
    write_result(options.output, text, whole ? Outcome::finished : Outcome::interrupted);
  }
  if (result.error) finish(ExitStatus::failed);
  if (!result.complete) {
    finish_interrupted(
        options.output,
        options.csv ? "the result is incomplete" : "the result is marked incomplete",
        kept ? fmt::format("; the same command resumes it from {}", kept->partial_path().string())
             : "");
  }
  if (!options.output.report.empty())
    write_report(options.output, report::html_experiment(study, result, observed));
}

namespace {

void simulate_file(SimulateCommand& options) {
  if (options.schema) {
    demand(file::write_stdout(scenario_help()));
    return;
  }
  if (options.json_schema) {
    demand(file::write_stdout(scenario::scenario_json_schema()));
    return;
  }
  if (options.file.empty()) {
    refuse({ErrorCode::invalid,
            "which scenario? Give a TOML file; artel simulate --help shows examples",
            "artel simulate"});
  }
  if (options.seed) options.scenario.set.push_back(fmt::format("run.seed={}", *options.seed));
  const auto study = load_study(options.file, options.scenario);
  if (!study) {
    print_errors(study.error());
    finish(ExitStatus::bad_input);
  }
  simulate(options, *study);
}

constexpr const char* kSimulateFooter =
    R"(The same scenario and seed print the same bytes, however often a run was interrupted and
resumed. Ctrl-C prints the finished part, marked incomplete, and leaves the files of -o and
--report as they are. With --json -o r.json the finished part goes to r.partial.json, every ten
seconds as well, and the same command resumes it.

Examples:
  artel simulate scenarios/mm8.toml
  artel simulate scenarios/llm-code.toml --report llm-code.html
  artel simulate scenarios/llm-code.toml --sweep pool.workers=16..64:8
  artel simulate scenarios/mm8.toml --set workload.arrivals.load=0.95 --json -o mm8.json
)";

}  // namespace

void add_simulate(Subcommand artel) {
  auto command =
      artel.subcommand("simulate", "Compare dispatch policies on a scenario, in simulated time");
  const auto options = std::make_shared<SimulateCommand>();
  command.option("scenario", options->file, "Scenario file (TOML); - is standard input")
      .type_name("FILE");
  add_scenario_options(command, options->scenario);
  add_seed_option(command, options->seed);
  add_jobs_option(command, options->jobs);
  const auto json =
      add_json_option(command, options->output, "Everything as JSON (schema artel.simulate/1)");
  command.flag("--csv", options->csv, "One line per point and policy").excludes(json);
  add_output_option(command, options->output);
  add_report_option(command, options->output);
  command
      .option("--resume", options->resume,
              "Resume this result, JSON of an interrupted run of the same study; what -o left "
              "there is resumed without this option")
      .type_name("FILE");
  command.flag("--schema", options->schema, "Print every key that a scenario may have");
  command.flag("--json-schema", options->json_schema,
               "Print a JSON Schema of scenarios, for editors that check TOML");
  command.footer(kSimulateFooter);
  command.action([options] { simulate_file(*options); });
}

}  // namespace artel::app
