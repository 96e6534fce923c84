#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "artel/report/html_page.hpp"

namespace artel::app {

/// Adds --report FILE; `path` must live until the command line has been parsed. Empty: not asked
/// for.
void add_report_option(CLI::App& command, std::string& path);

/// Ends the command if a report was asked for that could not be made or written. To be called
/// before long work.
void check_report(const std::string& path);

/// Writes the page, whole or not at all; ends the command if that fails.
void write_report(const std::string& path, report::HtmlReport report);

}  // namespace artel::app
