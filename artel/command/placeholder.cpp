#include "artel/command/placeholder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "artel/command/detail/regex.hpp"
#include "artel/core/error.hpp"

namespace artel::command {
namespace {

// A name that only starts with a dot has no extension.
std::string_view without_extension(std::string_view item) {
  const auto slash = item.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  const auto dot = item.rfind('.');
  if (dot == std::string_view::npos || dot <= name) return item;
  return item.substr(0, dot);
}

std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::string_view name_of(std::string_view path) {
  path = without_trailing_slashes(path);
  return path == "/" ? path : path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string_view folder_of(std::string_view path) {
  path = without_trailing_slashes(path);
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return without_trailing_slashes(path.substr(0, std::max<std::size_t>(slash, 1)));
}

// What GNU parallel replaces, and what to write instead.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kForeign{{
    {"{=", "there is no Perl: {%.txt} removes a suffix, {#x} a prefix, {/regex/text/} replaces"},
    {"{..}", "two extensions: {/\\.[^.\\/]*\\.[^.\\/]*$//}"},
    {"{...}", "three extensions: {/(\\.[^.\\/]*){3}$//}"},
    {"{/..}", "two extensions: {//\\.[^.\\/]*\\.[^.\\/]*$//}"},
    {"{/...}", "use {/regex/text/}"},
    {"{+/}", "the folder is {//}"},
    {"{+.}", "the extension is {/.*\\.//}"},
    {"{+..}", "use {/regex/text/}"},
    {"{##}", "the number of all jobs is not known before the input has ended"},
}};

}  // namespace

std::vector<std::string_view> fields_of(std::string_view item) {
  std::vector<std::string_view> fields;
  while (true) {
    const auto end = item.find(kFieldSeparator);
    fields.push_back(item.substr(0, end));
    if (end == std::string_view::npos) return fields;
    item.remove_prefix(end + 1);
  }
}

std::string_view part_of(std::string_view item, PathPart part) {
  switch (part) {
    case PathPart::without_extension:
      return without_extension(item);
    case PathPart::name:
      return name_of(item);
    case PathPart::name_without_extension:
      return without_extension(name_of(item));
    case PathPart::folder:
      return folder_of(item);
    default:
      return item;
  }
}

// Reads from the text behind the brace.
class Placeholder::Parser {
 public:
  Parser(std::string_view text, const ItemFields& fields)
      : rest_(text.substr(1)), fields_(fields) {}

  Result<std::optional<Placeholder>> read(std::string_view text) {
    Placeholder& found = placeholder_;
    if (rest_.starts_with("#}") || rest_.starts_with("%}")) {
      found.source_ = rest_.front() == '#' ? Source::job : Source::slot;
      rest_.remove_prefix(1);
    } else {
      const auto field = read_field();
      if (const auto edited = read_path_and_edit(); !edited) return fail(edited);
      if (!rest_.starts_with('}')) return std::nullopt;
      if (!field) {
        return fail(
            ErrorCode::invalid,
            fmt::format("{}: {}; to have it as it is, choose another placeholder: -I @",
                        text.substr(0, text.size() - rest_.size() + 1), field.error().what));
      }
    }
    rest_.remove_prefix(1);
    found.text_ = text.substr(0, text.size() - rest_.size());
    return std::move(found);
  }

 private:
  enum class Edit : std::uint8_t { none, removal, replacement };

  bool skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  // Errors: there is none of that number.
  Result<void> read_field() {
    if (const auto* const name = longest_name()) {
      rest_.remove_prefix(name->size());
      placeholder_.field_ = static_cast<int>(name - fields_.names.data()) + 1;
      return {};
    }
    int field = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), field);
    if (error != std::errc{} || field == 0) return {};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    placeholder_.field_ = field;
    const auto number = static_cast<std::size_t>(field < 0 ? -field : field);
    if (fields_.count == 0 || number <= fields_.count) return {};
    if (fields_.count == 1) {
      return fail(ErrorCode::invalid,
                  "there is one input (others follow a second ':::'; --colsep cuts lines into "
                  "fields)");
    }
    return fail(ErrorCode::invalid, fmt::format("there are {}", fields_.count));
  }

  [[nodiscard]] const std::string* longest_name() const {
    const std::string* longest = nullptr;
    for (const auto& name : fields_.names) {
      if (!name.empty() && rest_.starts_with(name) && (!longest || name.size() > longest->size()))
        longest = &name;
    }
    return longest;
  }

  // The shortest reading of PART and EDIT that ends with the brace: without EDIT, then the others.
  Result<void> read_path_and_edit() {
    constexpr std::array<std::pair<std::string_view, PathPart>, 5> kParts{{
        {"//", PathPart::folder},
        {"/.", PathPart::name_without_extension},
        {"/", PathPart::name},
        {".", PathPart::without_extension},
        {"", PathPart::whole},
    }};
    const auto start = rest_;
    for (const auto edit : {Edit::none, Edit::removal, Edit::replacement}) {
      for (const auto& [text, part] : kParts) {
        rest_ = start;
        if (!skip(text)) continue;
        placeholder_.part_ = part;
        if (edit == Edit::removal) read_removal();
        if (edit == Edit::replacement) {
          if (auto replaced = read_replacement(); !replaced) return replaced;
        }
        if (rest_.starts_with('}')) return {};
      }
    }
    return {};
  }

  void read_removal() {
    if (!rest_.starts_with('%') && !rest_.starts_with('#')) return;
    const auto end = rest_.find('}');
    if (end == std::string_view::npos || end == 1) return;
    const auto text = rest_.substr(1, end - 1);
    if (text.find_first_of(" \t\n{$\"'`\\") != std::string_view::npos) return;
    const bool of_name = placeholder_.part_ == PathPart::name ||
                         placeholder_.part_ == PathPart::name_without_extension;
    if (of_name && text.find('/') != std::string_view::npos) return;  // /REGEX/TEXT/
    if (rest_.front() == '%') {
      placeholder_.edit_ = RemovedSuffix{std::string(text)};
    } else {
      placeholder_.edit_ = RemovedPrefix{std::string(text)};
    }
    rest_.remove_prefix(end);
  }

  // Up to the slash that ends it; nothing: there is none.
  static std::optional<std::string> up_to_slash(std::string_view& rest) {
    std::string text;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == '/') {
        rest.remove_prefix(i + 1);
        return text;
      }
      if (rest[i] == '\\' && i + 1 < rest.size() && rest[i + 1] == '/') {
        ++i;
      } else if (rest[i] == '\\' && i + 1 < rest.size()) {
        text += rest[i++];
      }
      text += rest[i];
    }
    return std::nullopt;
  }

  // As in x{2}; what has others is the text between two placeholders.
  static bool braces_match(std::string_view text) {
    int open = 0;
    for (std::size_t i = 0; i < text.size() && open >= 0; ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '{')
        ++open;
      else if (text[i] == '}')
        --open;
    }
    return open == 0;
  }

  // /REGEX/TEXT/ or /REGEX/TEXT/g, and a brace; else nothing is read.
  Result<void> read_replacement() {
    if (!rest_.starts_with('/')) return {};
    auto rest = rest_.substr(1);
    const auto regex = up_to_slash(rest);
    if (!regex || regex->empty()) return {};
    auto text = up_to_slash(rest);
    if (!text || !braces_match(*regex) || !braces_match(*text)) return {};
    const bool all = rest.starts_with("g}");
    if (!all && !rest.starts_with('}')) return {};
    auto compiled = detail::Regex::compile(*regex);
    if (!compiled) return fail(compiled);
    placeholder_.edit_ = Replacement{std::move(*compiled), std::move(*text), all};
    rest_ = rest.substr(all ? 1 : 0);
    return {};
  }

  std::string_view rest_;
  const ItemFields& fields_;
  Placeholder placeholder_;
};

Result<std::optional<Placeholder>> Placeholder::read(std::string_view text,
                                                     const ItemFields& fields) {
  for (const auto& [foreign, instead] : kForeign) {
    if (!text.starts_with(foreign)) continue;
    if (foreign == "{=" && text.find("=}") == std::string_view::npos) continue;
    return fail(ErrorCode::invalid,
                fmt::format("{} is GNU parallel's; here, {}", foreign, instead));
  }
  return Parser(text, fields).read(text);
}

Placeholder Placeholder::of_item(std::string text) {
  Placeholder placeholder;
  placeholder.text_ = std::move(text);
  return placeholder;
}

bool Placeholder::is_whole() const {
  return field_ >= 0 && part_ == PathPart::whole && std::holds_alternative<std::monostate>(edit_);
}

std::string_view Placeholder::field_among(const std::vector<std::string_view>& fields) const {
  const auto count = static_cast<int>(fields.size());
  const int at = field_ < 0 ? count + field_ : field_ - 1;
  return at >= 0 && at < count ? fields[static_cast<std::size_t>(at)] : std::string_view{};
}

std::string Placeholder::fill(std::string_view value) const {
  std::string part(part_of(value, part_));
  if (const auto* const suffix = std::get_if<RemovedSuffix>(&edit_)) {
    if (part.ends_with(suffix->text)) part.resize(part.size() - suffix->text.size());
  } else if (const auto* const prefix = std::get_if<RemovedPrefix>(&edit_)) {
    if (part.starts_with(prefix->text)) part.erase(0, prefix->text.size());
  } else if (const auto* const replacement = std::get_if<Replacement>(&edit_)) {
    return replaced(part, *replacement);
  }
  return part;
}

namespace {

// `text` with what its \0 to \9 stand for.
void append_replacement(std::string& result, const std::string& text,
                        std::span<const std::string_view> groups) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    if (c >= '0' && c <= '9') {
      result += groups[static_cast<std::size_t>(c - '0')];
    } else {
      result += c;
    }
  }
}

}  // namespace

std::string Placeholder::replaced(std::string_view value, const Replacement& replacement) {
  std::string result;
  std::size_t at = 0;
  bool behind_match = false;  // there, an empty match is part of the one before
  std::array<std::string_view, detail::Regex::kGroupsMax> groups;
  while (at <= value.size()) {
    const auto begin = replacement.regex.find(value, at, groups);
    if (!begin) break;
    const bool empty = groups[0].empty();
    result += value.substr(at, *begin - at);
    if (!empty || *begin > at || !behind_match) {
      append_replacement(result, replacement.text, groups);
    }
    at = *begin + groups[0].size();
    if (!replacement.all) break;
    behind_match = !empty;
    if (behind_match) continue;
    if (at < value.size()) result += value[at];  // past an empty match
    ++at;
  }
  if (at < value.size()) result += value.substr(at);
  return result;
}

}  // namespace artel::command
