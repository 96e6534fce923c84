#include "artel/command/command_template.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::command {
namespace {

constexpr std::array<std::pair<std::string_view, Placeholder>, 7> kPlaceholders{{
    {"{}", Placeholder::item},
    {"{.}", Placeholder::item_without_extension},
    {"{/}", Placeholder::name},
    {"{/.}", Placeholder::name_without_extension},
    {"{//}", Placeholder::folder},
    {"{#}", Placeholder::job},
    {"{%}", Placeholder::slot},
}};

bool is_per_item(Placeholder placeholder) {
  return placeholder != Placeholder::job && placeholder != Placeholder::slot;
}

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

}  // namespace

std::string_view part_of(std::string_view item, Placeholder placeholder) {
  switch (placeholder) {
    case Placeholder::item_without_extension:
      return without_extension(item);
    case Placeholder::name:
      return name_of(item);
    case Placeholder::name_without_extension:
      return without_extension(name_of(item));
    case Placeholder::folder:
      return folder_of(item);
    default:
      return item;
  }
}

CommandTemplate::Word CommandTemplate::parse_word(std::string_view text) {
  Word word;
  std::string literal;
  while (!text.empty()) {
    const auto* const found = std::ranges::find_if(
        kPlaceholders, [&](const auto& entry) { return text.starts_with(entry.first); });
    if (found == kPlaceholders.end()) {
      literal += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (!literal.empty()) word.pieces.emplace_back(std::exchange(literal, {}));
    word.pieces.emplace_back(found->second);
    word.per_item = word.per_item || is_per_item(found->second);
    text.remove_prefix(found->first.size());
  }
  if (!literal.empty()) word.pieces.emplace_back(std::move(literal));
  return word;
}

Result<CommandTemplate> CommandTemplate::parse(std::span<const std::string> words, Reader reader) {
  if (words.empty()) return fail(ErrorCode::invalid, "no command to run");
  CommandTemplate parsed;
  parsed.reader_ = reader;
  if (reader == Reader::shell) {
    std::string script;
    for (const auto& word : words) script += (script.empty() ? "" : " ") + word;
    parsed.words_.push_back(parse_word(script));
  } else {
    for (const auto& word : words) parsed.words_.push_back(parse_word(word));
  }
  const bool places_items =
      std::ranges::any_of(parsed.words_, [](const Word& word) { return word.per_item; });
  if (places_items) return parsed;
  if (reader == Reader::shell) {
    parsed.words_.front().pieces.emplace_back(" ");
    parsed.words_.front().pieces.emplace_back(Placeholder::item);
  } else {
    parsed.words_.push_back(parse_word("{}"));
  }
  return parsed;
}

bool CommandTemplate::fixed_program() const {
  return reader_ == Reader::shell || !words_.front().per_item;
}

std::string CommandTemplate::fill(const Word& word, std::string_view item, const JobInput& input) {
  std::string text;
  for (const auto& piece : word.pieces) {
    if (const auto* const literal = std::get_if<std::string>(&piece)) {
      text += *literal;
      continue;
    }
    const auto placeholder = std::get<Placeholder>(piece);
    if (is_per_item(placeholder)) {
      text += part_of(item, placeholder);
    } else {
      text += std::to_string(placeholder == Placeholder::job ? input.job : input.slot);
    }
  }
  return text;
}

std::vector<std::string> CommandTemplate::expand(const JobInput& input) const {
  ARTEL_REQUIRE(!input.items.empty(), "a job has items");
  if (reader_ == Reader::shell) return expand_script(input);
  std::vector<std::string> words;
  words.reserve(words_.size() + input.items.size());
  for (const auto& word : words_) {
    if (!word.per_item) {
      words.push_back(fill(word, {}, input));
      continue;
    }
    for (const auto& item : input.items) words.push_back(fill(word, item, input));
  }
  return words;
}

// Which quotes are open after `text`. What a shell nests inside "$(…)" is taken for quoted: then
// parameters may be split there, but never run.
void CommandTemplate::follow(Quote& quote, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == Quote::single_quotes) {
      if (c == '\'') quote = Quote::none;
    } else if (c == '\\') {
      ++i;
    } else if (c == '"') {
      quote = quote == Quote::double_quotes ? Quote::none : Quote::double_quotes;
    } else if (c == '\'' && quote == Quote::none) {
      quote = Quote::single_quotes;
    }
  }
}

std::vector<std::string> CommandTemplate::expand_script(const JobInput& input) const {
  std::vector<std::string> words{"/bin/sh", "-c", {}, "sh"};
  std::string script;
  Quote quote = Quote::none;
  for (const auto& piece : words_.front().pieces) {
    if (const auto* const literal = std::get_if<std::string>(&piece)) {
      script += *literal;
      follow(quote, *literal);
      continue;
    }
    const auto placeholder = std::get<Placeholder>(piece);
    if (!is_per_item(placeholder)) {
      script += std::to_string(placeholder == Placeholder::job ? input.job : input.slot);
      continue;
    }
    std::string parameters;
    for (const auto& item : input.items) {
      words.emplace_back(part_of(item, placeholder));
      const auto parameter = fmt::format("${{{}}}", words.size() - 4);
      if (!parameters.empty()) parameters += ' ';
      parameters += quote == Quote::none ? '"' + parameter + '"' : parameter;
    }
    if (quote == Quote::single_quotes) parameters = "'\"" + parameters + "\"'";
    script += parameters;
  }
  words[2] = std::move(script);
  return words;
}

}  // namespace artel::command
