#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/embedded_files.hpp"
#include "app/output_options.hpp"
#include "app/run_options.hpp"
#include "app/scenario_options.hpp"
#include "app/simulate_command.hpp"
#include "artel/core/error.hpp"
#include "artel/scenario/study.hpp"

namespace artel::app {
namespace {

namespace fs = std::filesystem;

struct DemoCommand {
  SimulateCommand simulate;
  std::string save;
};

constexpr const char* kDemoFooter = R"(The recording: Azure Public Dataset, CC-BY 4.0.

Examples:
  artel demo
  artel demo --report demo.html
  artel demo --save . && artel simulate llm-code.toml --set slo.p99_response="2 s"
)";

void save(const std::vector<EmbeddedFile>& files, const fs::path& folder) {
  for (const auto& file : files) {
    if (!fs::exists(folder / file.name)) continue;
    refuse({ErrorCode::invalid, "is there already", (folder / file.name).string()});
  }
  write_files(files, folder);
  fmt::print("{}: artel simulate, plan and check read it\n",
             (folder / files.front().name).string());
}

scenario::Study read(const std::vector<EmbeddedFile>& files) {
  const TemporaryFiles written(files);
  auto study = load_study((written.folder() / files.front().name).string(), {});
  if (!study) {
    print_errors(study.error());
    finish(ExitStatus::bad_input);
  }
  return *std::move(study);
}

// The scenario, then the recording that it names.
std::vector<EmbeddedFile> demo_files() {
  auto files = embedded_files("llm-code.toml");
  files.push_back(embedded_files("data/azure-llm-code-2023.csv").front());
  return files;
}

void demo(DemoCommand& options) {
  const auto files = demo_files();
  if (!options.save.empty()) return save(files, options.save);
  const auto study = read(files);
  fmt::print(
      stderr,
      "An hour of requests to a service that completes code, as recorded: with which policy, "
      "and how many\nworkers, do 99 in 100 get their answer within 4 s? Some seconds.\n\n");
  simulate(options.simulate, study);
  fmt::print(stderr,
             "\nYour own question: artel demo --save FOLDER writes the scenario and its recording "
             "there, to change\nthem; artel help scenario says what one may say.\n");
}

}  // namespace

void add_demo(Subcommand artel) {
  auto command = artel.subcommand("demo", "Answer a question from a recorded hour, in seconds");
  const auto options = std::make_shared<DemoCommand>();
  add_jobs_option(command, options->simulate.jobs);
  add_report_option(command, options->simulate.output);
  command
      .option("--save", options->save,
              "Do not run: write the scenario and its recording into this folder")
      .type_name("FOLDER");
  command.footer(kDemoFooter);
  command.action([options] { demo(*options); });
}

}  // namespace artel::app
