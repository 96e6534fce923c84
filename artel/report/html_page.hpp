#pragma once

#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::report {

/// What a report says, before it becomes a page. All text is data: nothing in it is read as HTML.
struct HtmlReport {
  std::string title;                                       ///< of the page
  std::string made_by;                                     ///< "artel 0.2.0"
  std::vector<std::string> summary;                        ///< sentences; the first is the answer
  std::vector<std::pair<std::string, std::string>> facts;  ///< what it is about: name, value
  /// Name and JSON text of each part; docs/report.md lists those that the page knows.
  std::vector<std::pair<std::string, std::string>> parts;
};

/// The report as one JSON object without line breaks, schema artel.report/1 (docs/report.md).
[[nodiscard]] std::string report_json(const HtmlReport& report);

/// The report as one HTML file that needs nothing else: styles, charts and data are inside, and the
/// page may neither load anything nor run any other script (content security policy).
/// Errors: those of check_html_page.
[[nodiscard]] Result<std::string> html_page(const HtmlReport& report);

/// Whether this build has the page. Errors: unsupported; says how to get it.
[[nodiscard]] Result<void> check_html_page();

/// `text` for use between the tags of HTML.
[[nodiscard]] std::string escape_html(const std::string& text);

/// JSON for use inside of a `<script>` element: '<', '>' and '&' become escapes of JSON.
[[nodiscard]] std::string escape_json_for_script(const std::string& json);

}  // namespace artel::report
