#include "app/report_option.hpp"

#include <string>

#include "app/command.hpp"
#include "artel/error/error.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/output_file.hpp"

namespace artel::app {
namespace {

void refuse_failure(const Result<void>& outcome) {
  if (outcome) return;
  print_errors({outcome.error()});
  finish(ExitStatus::bad_input);
}

}  // namespace

void add_report_option(CLI::App& command, std::string& path) {
  command
      .add_option("--report", path,
                  "Also write a report with charts: one HTML file that opens offline")
      ->type_name("FILE");
}

void check_report(const std::string& path) {
  if (path.empty()) return;
  refuse_failure(report::check_html_page());
  refuse_failure(report::check_writable(path));
}

void write_report(const std::string& path, report::HtmlReport report) {
  report.made_by = "artel " ARTEL_VERSION;
  const auto page = report::html_page(report);
  refuse_failure(page ? Result<void>() : fail(page));
  refuse_failure(report::write_file(path, *page));
}

}  // namespace artel::app
