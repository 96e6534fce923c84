#include "app/output_options.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/core/join.hpp"
#include "artel/file/write_file.hpp"
#include "artel/report/html_page.hpp"

namespace artel::app {

Option add_json_option(Subcommand command, OutputOptions& options, const std::string& help) {
  return command.flag("--json", options.json, help);
}

void add_output_option(Subcommand command, OutputOptions& options) {
  command
      .option("-o,--output", options.file,
              "Write to this file, whole or not at all, instead of stdout")
      .type_name("FILE");
}

void add_report_option(Subcommand command, OutputOptions& options) {
  command
      .option("--report", options.report,
              "Also write a report with charts: one HTML file that opens offline")
      .type_name("FILE");
}

void check_output(const OutputOptions& options) {
  if (!options.file.empty()) demand(file::check_writable(options.file));
  if (options.report.empty()) return;
  demand(report::check_html_page());
  demand(file::check_writable(options.report));
}

void write_result(const OutputOptions& options, const std::string& text, Outcome outcome) {
  const bool to_stdout = options.file.empty() || outcome == Outcome::interrupted;
  demand(to_stdout ? file::write_stdout(text) : file::write_file(options.file, text));
}

void write_report(const OutputOptions& options, report::HtmlReport report) {
  report.made_by = "artel " ARTEL_VERSION;
  const auto page = report::html_page(report);
  demand(page);
  demand(file::write_file(options.report, *page));
}

void finish_interrupted(const OutputOptions& options, const std::string& result,
                        const std::string& more) {
  std::vector<std::string> files;
  for (const auto& file : {options.file, options.report}) {
    if (!file.empty()) files.push_back(file);
  }
  fmt::print(stderr, "artel: interrupted; {}{}{}\n", result,
             files.empty() ? "" : "; not written: " + join(files, ", "), more);
  finish(ExitStatus::interrupted);
}

}  // namespace artel::app
