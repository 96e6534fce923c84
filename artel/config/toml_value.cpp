#include "artel/config/toml_value.hpp"

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include "artel/core/error.hpp"

namespace artel::config {
namespace {

SourcePosition place_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column, {}};
}

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.place = place_of(node.source());
  switch (node.type()) {
    case toml::node_type::boolean:
      value.kind = TomlValue::Kind::boolean;
      value.boolean = node.as_boolean()->get();
      break;
    case toml::node_type::integer:
      value.kind = TomlValue::Kind::integer;
      value.integer = node.as_integer()->get();
      value.number = static_cast<double>(value.integer);
      break;
    case toml::node_type::floating_point:
      value.kind = TomlValue::Kind::number;
      value.number = node.as_floating_point()->get();
      break;
    case toml::node_type::string:
      value.kind = TomlValue::Kind::text;
      value.text = node.as_string()->get();
      break;
    case toml::node_type::array:
      value.kind = TomlValue::Kind::list;
      for (const auto& item : *node.as_array()) value.items.push_back(convert(item));
      break;
    case toml::node_type::table:
      value.kind = TomlValue::Kind::table;
      for (const auto& [key, item] : *node.as_table()) {
        value.entries.push_back({std::string(key.str()), place_of(key.source()), convert(item)});
      }
      break;
    default:
      value.kind = TomlValue::Kind::date;
  }
  return value;
}

/// Finds text that nests too deeply: toml++ 3.3 recurses once per level, dotted keys included, and
/// would overflow the stack.
class DepthCheck {
 public:
  // Line and column of the first byte that goes too deep; {0, 0} when there is none.
  SourcePosition find(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      ++column_;
      const char c = text[i];
      if (c == '\n') {
        ++line_;
        column_ = 0;
      }
      in_comment_ = in_comment_ && c != '\n';
      if (in_comment_) continue;
      if (quote_ != 0) {
        leave_string(text, i);
      } else {
        enter(text, i);
      }
      if (brackets_ > kTomlDepthMax || dots_ > kTomlDepthMax) return {line_, column_, {}};
    }
    return {};
  }

 private:
  static bool triple(std::string_view text, std::size_t i) {
    return i + 2 < text.size() && text[i + 1] == text[i] && text[i + 2] == text[i];
  }

  void enter(std::string_view text, std::size_t& i) {
    switch (const char c = text[i]) {
      case '#':
        in_comment_ = true;
        break;
      case '"':
      case '\'':
        quote_ = c;
        tripled_ = triple(text, i);
        if (tripled_) {
          i += 2;
          column_ += 2;
        }
        break;
      case '.':
        ++dots_;
        break;
      case '[':
      case '{':
        ++brackets_;
        dots_ = 0;
        break;
      case ']':
      case '}':
        brackets_ -= brackets_ > 0 ? 1 : 0;
        dots_ = 0;
        break;
      case ',':
      case '=':
      case '\n':
        dots_ = 0;
        break;
      default:
        break;
    }
  }

  void leave_string(std::string_view text, std::size_t& i) {
    const char c = text[i];
    if (c == '\\' && quote_ == '"') {
      ++i;
      ++column_;
      return;
    }
    const bool closed = c == quote_ && (!tripled_ || triple(text, i));
    const bool cut = c == '\n' && !tripled_;  // a syntax error; the parser will say so
    if (closed && tripled_) {
      i += 2;
      column_ += 2;
    }
    if (closed || cut) quote_ = 0;
  }

  std::uint32_t line_ = 1, column_ = 0;
  std::size_t brackets_ = 0, dots_ = 0;
  char quote_ = 0;  // of the string that we are in
  bool tripled_ = false;
  bool in_comment_ = false;
};

// What toml++ says, in fewer words and with the mistake that people really make.
std::string explain(std::string_view description) {
  for (const std::string_view prefix : {"Error while parsing "}) {
    if (description.starts_with(prefix)) description.remove_prefix(prefix.size());
  }
  std::string text = fmt::format("not TOML: {}", description);
  const bool value = description.find("could not determine value type") != std::string_view::npos;
  const bool number = description.find("expected digit") != std::string_view::npos;
  if (value || number) text += "; text and durations go in quotes, like \"50ms\"";
  return text;
}

}  // namespace

std::string SourcePosition::where(std::string_view file_name) const {
  if (!argument.empty()) return argument;
  if (line == 0) return std::string(file_name);
  return fmt::format("{}:{}:{}", file_name, line, column);
}

const TomlValue* TomlValue::find(std::string_view key) const {
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const TomlEntry& candidate) { return candidate.key == key; });
  return entry == entries.end() ? nullptr : &entry->value;
}

TomlValue* TomlValue::find(std::string_view key) {
  return const_cast<TomlValue*>(std::as_const(*this).find(key));  // NOLINT(*-const-cast)
}

std::string TomlValue::describe() const {
  switch (kind) {
    case Kind::boolean:
      return boolean ? "true" : "false";
    case Kind::integer:
      return fmt::format("{}", integer);
    case Kind::number:
      return fmt::format("{}", number);
    case Kind::text:
      return fmt::format("'{}{}'", text.substr(0, 40), text.size() > 40 ? "…" : "");
    case Kind::list:
      return fmt::format("a list of {}", items.size());
    case Kind::table:
      return "a table";
    case Kind::date:
      return "a date or time";
  }
  return "something else";
}

Result<TomlValue> parse_toml(std::string_view text, std::string_view file_name) {
  if (const auto place = DepthCheck().find(text); place.line != 0) {
    return fail(ErrorCode::too_large, fmt::format("nested deeper than {} levels", kTomlDepthMax),
                place.where(file_name));
  }
  try {
    return convert(toml::parse(text, file_name));
  } catch (const toml::parse_error& error) {
    return fail(ErrorCode::parse, explain(error.description()),
                place_of(error.source()).where(file_name));
  }
}

}  // namespace artel::config
