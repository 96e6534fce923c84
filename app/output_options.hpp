#pragma once

#include <cstdint>
#include <string>

#include "app/command_line.hpp"
#include "artel/report/html_page.hpp"

namespace artel::app {

/// In which form results come, and where they go.
struct OutputOptions {
  bool json = false;
  std::string file;    ///< empty: stdout
  std::string report;  ///< an HTML page besides; empty: none
};

// Each adds one option; `options` must live until the command line has been read.

/// --json; `help` names the schema.
Option add_json_option(Subcommand command, OutputOptions& options, const std::string& help);
/// -o, --output.
void add_output_option(Subcommand command, OutputOptions& options);
/// --report.
void add_report_option(Subcommand command, OutputOptions& options);

/// Ends the command if a file that was asked for could not be made or written, or is an input. To
/// be called after the inputs were opened and before long work.
void check_output(const OutputOptions& options);

/// Whether a result is whole, or what was known when the command was interrupted.
enum class Outcome : std::uint8_t { finished, interrupted };

/// Writes the result where it belongs, a file whole or not at all; ends the command if that fails.
/// An interrupted result goes to stdout: a file that was asked for keeps what it has.
void write_result(const OutputOptions& options, const std::string& text,
                  Outcome outcome = Outcome::finished);

/// Writes the page, whole or not at all; ends the command if that fails.
void write_report(const OutputOptions& options, report::HtmlReport report);

/// Reports on stderr that `result` is marked incomplete and which files were not written, and ends
/// the command. `more`: what else there is to say.
[[noreturn]] void finish_interrupted(const OutputOptions& options, const std::string& result,
                                     const std::string& more = "");

}  // namespace artel::app
