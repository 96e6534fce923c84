#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/scenario_options.hpp"

namespace artel::app {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  ScenarioOptions scenario;
};

void check(const CheckOptions& options) {
  bool sound = true;
  for (const auto& file : options.files) {
    if (const auto study = load_study(file, options.scenario)) {
      fmt::print("{}: OK\n", file);
    } else {
      print_errors(study.error());
      sound = false;
    }
  }
  if (!sound) finish(ExitStatus::bad_input);
}

}  // namespace

void add_check(CLI::App& artel) {
  auto& command = *artel.add_subcommand("check", "Check scenario files without running them");
  const auto options = std::make_shared<CheckOptions>();
  command.add_option("scenario", options->files, "Scenario files (TOML)")
      ->required()
      ->type_name("FILE");
  add_scenario_options(command, options->scenario);
  command.footer(
      "Prints one line per sound file, all mistakes of the others; exit status 0 or 2.\n\n"
      "Examples:\n"
      "  artel check scenarios/*.toml\n"
      "  artel check scenarios/llm-code.toml --sweep pool.workers=16..64:8\n");
  command.callback([options] { check(*options); });
}

}  // namespace artel::app
