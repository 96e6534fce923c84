#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/scenario_options.hpp"

namespace artel::app {
namespace {

struct CheckCommand {
  std::vector<std::string> files;
  ScenarioOptions scenario;
};

void check(const CheckCommand& options) {
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

constexpr const char* kCheckFooter =
    R"(Prints one line per sound file, all mistakes of the others; exit status 0 or 2.

Examples:
  artel check scenarios/*.toml
  artel check scenarios/llm-code.toml --sweep pool.workers=16..64:8
)";

}  // namespace

void add_check(Subcommand artel) {
  auto command = artel.subcommand("check", "Check scenario files without running them");
  const auto options = std::make_shared<CheckCommand>();
  command.option("scenario", options->files, "Scenario files (TOML); - is standard input")
      .required()
      .type_name("FILE");
  add_scenario_options(command, options->scenario);
  command.footer(kCheckFooter);
  command.action([options] { check(*options); });
}

}  // namespace artel::app
