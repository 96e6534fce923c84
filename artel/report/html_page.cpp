#include "artel/report/html_page.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "artel/core/error.hpp"
#include "artel/report/detail/html_bundle.hpp"

namespace artel::report {
namespace {

template <class Replacement>
std::string replace_each(const std::string& text, Replacement replacement) {
  std::string replaced;
  replaced.reserve(text.size());
  for (const char c : text) {
    if (const char* instead = replacement(c)) {
      replaced += instead;
    } else {
      replaced += c;
    }
  }
  return replaced;
}

}  // namespace

std::string escape_html(const std::string& text) {
  return replace_each(text, [](char c) -> const char* {
    switch (c) {
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '&':
        return "&amp;";
      case '"':
        return "&quot;";
      case '\'':
        return "&#39;";
      default:
        return nullptr;
    }
  });
}

// These characters occur in strings only, where an escape means the same.
std::string escape_json_for_script(const std::string& json) {
  return replace_each(json, [](char c) -> const char* {
    switch (c) {
      case '<':
        return "\\u003c";
      case '>':
        return "\\u003e";
      case '&':
        return "\\u0026";
      default:
        return nullptr;
    }
  });
}

std::string report_json(const HtmlReport& report) {
  using Json = nlohmann::ordered_json;
  Json json = {{"schema", "artel.report/1"},
               {"title", report.title},
               {"made_by", report.made_by},
               {"summary", report.summary},
               {"facts", Json::array()}};
  for (const auto& [name, value] : report.facts)
    json["facts"].push_back({{"name", name}, {"value", value}});
  for (const auto& [name, text] : report.parts) json[name] = Json::parse(text);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> check_html_page() {
  if (!detail::html_bundle().head.empty()) return {};
  return fail(ErrorCode::unsupported,
              "this artel was built without the report page: install nodejs (18 or newer) and npm, "
              "then configure with -DARTEL_REPORT=ON and build again",
              "--report");
}

Result<std::string> html_page(const HtmlReport& report) {
  if (const auto there = check_html_page(); !there) return fail(there);
  const auto bundle = detail::html_bundle();
  return bundle.head + escape_html(report.title) + bundle.middle +
         escape_json_for_script(report_json(report)) + bundle.tail;
}

}  // namespace artel::report
