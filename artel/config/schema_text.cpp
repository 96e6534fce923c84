#include "artel/config/schema_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "artel/config/schema.hpp"
#include "artel/core/join.hpp"

namespace artel::config {
namespace {

// "[workload.arrivals]" for a table, "items of dispatch.policies" for what a list holds.
std::string heading(std::string_view table_name) {
  if (table_name.empty()) return "top level";
  if (!table_name.ends_with("[]")) return fmt::format("[{}]", table_name);
  return fmt::format("items of {}", table_name.substr(0, table_name.size() - 2));
}

// Breaks lines between words.
void append_wrapped(std::string& out, std::string_view words, std::size_t indent) {
  constexpr std::size_t kWidth = 100;
  while (!words.empty()) {
    auto end = words.size();
    if (indent + end > kWidth) {
      end = words.rfind(' ', kWidth - indent);
      if (end == std::string_view::npos) end = words.size();
    }
    out += fmt::format("{:{}}{}\n", "", indent, words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

void append_key(std::string& out, const SchemaKey& row) {
  constexpr std::size_t kIndent = 19;
  auto line = fmt::format("{}{}", allowed_text(row), row.fallback == kRequired ? "; required" : "");
  if (row.fallback != kRequired && !row.fallback.empty()) {
    line += fmt::format("; default {}", row.fallback);
  }
  if (!row.goes_with.empty()) {
    line += fmt::format("; only {}", join(split_words(row.goes_with), ", "));
  }
  append_item(out, row.key, kIndent, {line, row.meaning});
}

}  // namespace

void append_item(std::string& out, std::string_view name, std::size_t indent,
                 std::initializer_list<std::string_view> lines) {
  std::string block;
  for (const auto line : lines) append_wrapped(block, line, indent);
  out += fmt::format("  {:<{}} {}", name, indent - 3, std::string_view(block).substr(indent));
}

std::string schema_text(const Schema& schema) {
  std::string out;
  const SchemaKey* before = nullptr;
  for (const auto& row : schema.keys()) {
    if (before == nullptr || row.table != before->table) {
      out += fmt::format("\n{}\n", heading(row.table));
    }
    append_key(out, row);
    before = &row;
  }
  return out;
}

}  // namespace artel::config
