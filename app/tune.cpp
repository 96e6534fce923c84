#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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
#include "artel/arena/load_match.hpp"
#include "artel/arena/parameter_range.hpp"
#include "artel/arena/tune.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/report/tune_table.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::app {
namespace {

struct TuneCommand {
  std::string file;
  std::string policy;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  arena::TuneOptions tune{.jobs = usable_cpus()};
  OutputOptions output;
};

// The scenario, with the policy at one value: it can run there.
arena::Match load_tuned(const TuneCommand& options, const arena::ParameterRange& range) {
  auto set = options.set;
  if (options.seed) set.push_back(fmt::format("run.seed={}", *options.seed));
  const auto overrides = parse_overrides(set);
  if (!overrides) {
    print_errors(overrides.error());
    finish(ExitStatus::bad_input);
  }
  const std::vector<scenario::PolicySpec> policies{arena::policy_at(range, range.high).value()};
  auto match = arena::load_match(installed_scenario(options.file), policies, *overrides);
  if (match) return *std::move(match);
  print_errors(match.error());
  finish(ExitStatus::bad_input);
}

void tune(TuneCommand& options) {
  const auto range = arena::parse_parameter_range(options.policy);
  if (!range) refuse({range.error().code, range.error().what, "--policy " + options.policy});
  const auto scenario = load_tuned(options, *range).scenario;
  check_output(options.output);
  const auto result = [&] {
    const InterruptGuard interrupt;
    ProgressLine line("tuning");
    options.tune.stop = interrupt.token();
    options.tune.progress = [&](std::size_t done) {
      line.show(fmt::format("{} replications", done));
    };
    return arena::tune(scenario, *range, options.tune);
  }();
  demand(result);
  if (!result->complete) finish_interrupted(options.output, "there is no result yet");
  write_result(options.output, options.output.json ? report::tune_json(scenario, *range, *result)
                                                   : report::tune_table(scenario, *range, *result));
}

constexpr const char* kTuneFooter =
    R"(What is looked for is the value with which the policy uses the least part of the scenario's
objectives ([slo]), or responds fastest on average where it has none. All values meet the same
tasks; what is printed comes from others, which the search has not seen. The same scenario,
policy and seed print the same bytes.

Examples:
  artel tune scenarios/stale-dispatchers.toml --policy 'jsq(d=1..16)'
  artel tune S.toml --policy 'sita(cutoffs=0.1..10)' --json
  artel tune S.toml --policy 'closed_loop(beacon_every=1ms..1s; law=level)'
)";

}  // namespace

void add_tune(Subcommand artel) {
  auto command = artel.subcommand("tune", "Find the best value of a policy's parameter");
  const auto options = std::make_shared<TuneCommand>();
  command.option("scenario", options->file, "Scenario file (TOML)").required().type_name("FILE");
  command
      .option("--policy", options->policy,
              "The policy, with a range for one parameter: 'jsq(d=1..16)'; whole numbers, numbers "
              "(0.5..8) or times (10ms..1s)")
      .required()
      .type_name("NAME")
      .suggest(scenario::policy_names());
  command
      .option("--replications", options->tune.replications,
              "Of every value that was tried, on tasks held back")
      .range(2, 100'000)
      .show_default();
  add_set_option(command, options->set, "the scenario", "run.tasks=5000");
  add_seed_option(command, options->seed);
  add_jobs_option(command, options->tune.jobs);
  add_json_option(command, options->output, "Everything as JSON (schema artel.tune/1)");
  add_output_option(command, options->output);
  command.footer(kTuneFooter);
  command.action([options] { tune(*options); });
}

}  // namespace artel::app
