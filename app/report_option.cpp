#include "app/report_option.hpp"

#include <string>

#include "app/command.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/output_file.hpp"

namespace artel::app {

void add_report_option(CLI::App& command, std::string& path) {
  command
      .add_option("--report", path,
                  "Also write a report with charts: one HTML file that opens offline")
      ->type_name("FILE");
}

void check_report(const std::string& path) {
  if (path.empty()) return;
  demand(report::check_html_page());
  demand(report::check_writable(path));
}

void write_report(const std::string& path, report::HtmlReport report) {
  report.made_by = "artel " ARTEL_VERSION;
  const auto page = report::html_page(report);
  demand(page);
  demand(report::write_file(path, *page));
}

}  // namespace artel::app
