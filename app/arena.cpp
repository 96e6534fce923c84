#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/embedded_files.hpp"
#include "app/interrupt.hpp"
#include "app/output_options.hpp"
#include "app/progress_line.hpp"
#include "app/run_options.hpp"
#include "app/scenario_options.hpp"
#include "artel/arena/load_match.hpp"
#include "artel/arena/run_arena.hpp"
#include "artel/config/problems.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/report/arena_table.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::app {
namespace {

namespace fs = std::filesystem;

struct ArenaCommand {
  std::vector<std::string> policies;
  std::string scenarios;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::string budget;
  arena::ArenaOptions arena{.jobs = usable_cpus()};
  OutputOptions output;
};

std::vector<scenario::PolicySpec> contenders(const std::vector<std::string>& names) {
  std::vector<scenario::PolicySpec> policies;
  for (const auto& name : names) {
    auto policy = scenario::parse_policy_spec(name);
    if (!policy) refuse({policy.error().code, policy.error().what, name});
    const bool twice =
        std::ranges::any_of(policies, [&](const auto& other) { return other.label == name; });
    if (twice) refuse({ErrorCode::invalid, "is there twice", name});
    policies.push_back(*std::move(policy));
  }
  return policies;
}

// Its scenarios by name, so that the order is the same everywhere.
std::vector<fs::path> scenarios_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    if (at->path().extension() == ".toml") files.push_back(at->path());
  }
  if (problem) refuse({ErrorCode::io, problem.message(), folder.string()});
  if (files.empty())
    refuse({ErrorCode::not_found, "has no scenarios (files whose names end in .toml)",
            folder.string()});
  std::ranges::sort(files);
  return files;
}

std::vector<arena::Match> load_matches(const ArenaCommand& options,
                                       const std::vector<scenario::PolicySpec>& policies) {
  auto set = options.set;
  if (options.seed) set.push_back(fmt::format("run.seed={}", *options.seed));
  const auto overrides = parse_overrides(set);
  config::Errors errors = overrides ? config::Errors{} : overrides.error();
  std::vector<arena::Match> matches;
  if (overrides) {
    std::optional<TemporaryFiles> library;
    if (options.scenarios.empty()) {
      auto files = embedded_files("arena/");
      for (auto& data : embedded_files("data/")) files.push_back(std::move(data));
      library.emplace(files);
    }
    for (const auto& path :
         scenarios_in(library ? library->folder() / "arena" : fs::path(options.scenarios))) {
      auto match = arena::load_match(path, policies, *overrides);
      if (match) {
        matches.push_back(*std::move(match));
      } else {
        errors.insert(errors.end(), match.error().begin(), match.error().end());
      }
    }
  }
  if (errors.empty()) return matches;
  print_errors(errors);
  finish(ExitStatus::bad_input);
}

Duration budget_of(const std::string& text) {
  const auto budget = parse_duration(text);
  if (!budget || *budget <= Duration::zero())
    refuse({ErrorCode::invalid,
            fmt::format("found '{}', allowed: a duration above 0 with its unit, like 60s", text),
            "--budget"});
  return *budget;
}

void run_arena(ArenaCommand& options) {
  const auto policies = contenders(options.policies);
  const auto start = steady_now();
  if (!options.budget.empty()) {
    options.arena.enough = [start, budget = budget_of(options.budget)] {
      return steady_now() - start >= budget;
    };
  }
  const auto matches = load_matches(options, policies);
  check_output(options.output);
  const auto result = [&] {
    const InterruptGuard interrupt;
    ProgressLine line("arena");
    options.arena.stop = interrupt.token();
    options.arena.progress = [&](std::size_t done, std::size_t total) { line.show(done, total); };
    return arena::run_arena(matches, options.arena);
  }();
  write_result(options.output,
               options.output.json ? report::arena_json(policies, matches, result)
                                   : report::arena_table(policies, matches, result),
               result.complete ? Outcome::finished : Outcome::interrupted);
  if (!result.complete) {
    finish_interrupted(options.output,
                       fmt::format("{} of {} replications are in the result", result.replications,
                                   options.arena.replications));
  }
  if (result.replications < options.arena.replications)
    fmt::print(stderr,
               "artel: the budget was enough for {} of {} replications; --replications {} gives "
               "the same anywhere\n",
               result.replications, options.arena.replications, result.replications);
}

constexpr const char* kArenaFooter =
    R"(Every policy meets the same tasks. What counts in a scenario is the part of its objectives
([slo]) that a policy uses, or the mean response where it has none; a policy that cannot run
in a scenario has the score 0 there. The same policies, scenarios, seed and replications print
the same bytes, whatever --jobs is; --budget only says how many replications there are.

Examples:
  artel arena central least_loaded 'jsq(d=2)' random
  artel arena 'jsq(d=2)' 'jsq(d=3)' --budget 60s --json -o score.json
  artel arena jiq 'jsq(d=2; busyness=work)' --scenarios my-scenarios --seed 7
)";

}  // namespace

void add_arena(Subcommand artel) {
  auto command = artel.subcommand("arena", "Rank dispatch policies over a library of scenarios");
  const auto options = std::make_shared<ArenaCommand>();
  command
      .option("policy", options->policies,
              "Policies, like central or 'jsq(d=3; busyness=work)'; artel help scenario lists them")
      .required()
      .type_name("POLICY")
      .suggest(scenario::policy_names());
  command
      .option("--scenarios", options->scenarios,
              "Folder with scenarios (its .toml files) instead of the library that is built in")
      .type_name("DIR");
  command.option("--replications", options->arena.replications, "Of every policy in every scenario")
      .range(1, 100'000)
      .show_default();
  command
      .option("--budget", options->budget,
              "Begin no further round of replications when so much time is over, like 60s; three "
              "are run in any case")
      .type_name("TIME");
  add_set_option(command, options->set, "every scenario", "run.tasks=5000");
  add_seed_option(command, options->seed);
  add_jobs_option(command, options->arena.jobs);
  add_json_option(command, options->output, "Everything as JSON (schema artel.arena/1)");
  add_output_option(command, options->output);
  command.footer(kArenaFooter);
  command.action([options] { run_arena(*options); });
}

}  // namespace artel::app
