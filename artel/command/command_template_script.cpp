// Of CommandTemplate: scripts for a shell.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/command/command_template.hpp"
#include "artel/command/detail/script_finder.hpp"
#include "artel/command/detail/simple_script.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/core/error.hpp"
#include "artel/core/join.hpp"

namespace artel::command {

Result<void> CommandTemplate::read_script(std::span<const std::string> words,
                                          const TemplateOptions& options) {
  if (!detail::takes_parameters(options.shell)) {
    return fail(ErrorCode::invalid,
                fmt::format("'{}' is no shell whose syntax is known: sh, dash, bash, ksh, zsh",
                            options.shell),
                "--shell");
  }
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  auto script = read_word(text, options, true);
  if (!script) return fail(script);
  const bool appends = placeholders_.empty() && options.append && options.token.empty();
  const auto name = options.shell.substr(options.shell.rfind('/') + 1);
  const bool simple = detail::has_simple_scripts(options.shell);
  const bool per_item = script->per_item;
  words_ = {{.pieces = {options.shell}}, {.pieces = {std::string("-c")}}};
  const auto reads_items = add_script(std::move(*script), appends && simple, "");
  if (!reads_items) return fail(reads_items);
  if (!simple && (per_item || (appends && !*reads_items))) {
    return fail(ErrorCode::invalid,
                fmt::format("in a script for {}, write \"$1\" for the item", name), "--shell");
  }
  if (script_) {
    script_->name = name;
  } else {
    words_.push_back({.pieces = {name}});
  }
  if (*reads_items) {
    words_.push_back(
        {.pieces = {number_of(Placeholder::of_item("{}"))}, .per_item = true, .per_field = true});
  }
  return {};
}

// Of the text that `word` is, with one character for each placeholder.
CommandTemplate::Word CommandTemplate::slice_of(const Word& word, std::size_t begin,
                                                std::size_t end) const {
  Word part{.pieces = {}, .per_field = true};
  std::size_t at = 0;
  for (const auto& piece : word.pieces) {
    const auto* const literal = std::get_if<std::string>(&piece);
    const std::size_t size = literal != nullptr ? literal->size() : 1;
    const auto from = std::max(at, begin);
    const auto to = std::min(at + size, end);
    if (from < to && literal != nullptr) {
      part.pieces.emplace_back(literal->substr(from - at, to - from));
    } else if (from < to) {
      const auto& placeholder = placeholders_[std::get<std::size_t>(piece)];
      const bool item = placeholder.source() == Placeholder::Source::item;
      part.per_item = part.per_item || item;
      part.per_field = part.per_field && (!item || placeholder.field() == 0);
      part.pieces.push_back(piece);
    }
    at += size;
  }
  return part;
}

// What to write where no placeholder may stand.
std::string CommandTemplate::instead_of(const Placeholder& placeholder, std::string_view shell) {
  if (shell.empty() && placeholder.is_whole()) {
    return fmt::format("write \"${}\"", std::max(placeholder.field(), 1));
  }
  return fmt::format("{}write {} -c '… \"$1\" …' sh {}", shell.empty() ? "without --shell, " : "",
                     shell.empty() ? "sh" : shell, placeholder.text());
}

Result<bool> CommandTemplate::add_script(Word word, bool appends, std::string_view shell) {
  std::string marked;
  std::string written;
  std::vector<std::size_t> origin;  // of each character of `marked` in `written`
  const Placeholder* refused = nullptr;
  for (const auto& piece : word.pieces) {
    if (const auto* const literal = std::get_if<std::string>(&piece)) {
      for (std::size_t i = 0; i < literal->size(); ++i) origin.push_back(written.size() + i);
      marked += *literal;
      written += *literal;
      continue;
    }
    const auto& placeholder = placeholders_[std::get<std::size_t>(piece)];
    const bool item = placeholder.source() == Placeholder::Source::item;
    if (item && refused == nullptr) refused = &placeholder;
    marked += item ? detail::kPlaceMark : '0';
    origin.push_back(written.size());
    written += placeholder.text();
  }
  auto known = detail::read_script(marked);
  const bool reads_items =
      refused == nullptr && (known ? known->has_parameters : detail::mentions_parameters(marked));
  if (appends && !reads_items) {
    word.pieces.emplace_back(" ");
    word.pieces.emplace_back(number_of(Placeholder::of_item("{}")));
    word.per_item = true;
    return add_script(std::move(word), false, shell);
  }
  if (!known && refused != nullptr) {
    const auto at = known.error().at;
    return fail(ErrorCode::invalid, known.error().why + "; " + instead_of(*refused, shell),
                detail::place_of(written, at < origin.size() ? origin[at] : written.size()) +
                    " of the script");
  }
  if (refused != nullptr) set_script(word, *known, marked.size());
  words_.push_back(std::move(word));
  return reads_items;
}

void CommandTemplate::set_script(const Word& word, const detail::SimpleScript& known,
                                 std::size_t size) {
  Script script{.word = words_.size(), .name = "sh", .texts = {}, .places = {}, .values = {}};
  std::size_t at = 0;
  for (const auto& place : known.words) {
    script.texts.push_back(slice_of(word, at, place.begin));
    auto value = slice_of(word, place.begin, place.end);
    value.is_one = place.one_word;
    const auto same = std::ranges::find(script.values, value);
    script.places.push_back(static_cast<std::size_t>(same - script.values.begin()));
    if (same == script.values.end()) script.values.push_back(std::move(value));
    at = place.end;
  }
  script.texts.push_back(slice_of(word, at, size));
  script_ = std::move(script);
}

void CommandTemplate::expand_script(const std::vector<Fields>& records, const JobInput& input,
                                    std::vector<std::string>& words) const {
  const Script& script = *script_;  // NOLINT(bugprone-unchecked-optional-access): as the caller saw
  std::vector<std::string> parameters;
  std::vector<std::size_t> ends;  // of each value among the parameters
  for (const auto& value : script.values) {
    const auto first = parameters.size();
    expand_word(value, records, input, parameters);
    if (value.is_one) {
      const std::span<const std::string> all(parameters);
      auto joined = join(all.subspan(first), " ");
      parameters.resize(first);
      parameters.push_back(std::move(joined));
    }
    ends.push_back(parameters.size());
  }
  std::string text;
  for (std::size_t i = 0; i < script.texts.size(); ++i) {
    text += fill(script.texts[i], {}, input);
    if (i == script.places.size()) break;
    const auto value = script.places[i];
    const auto first = value == 0 ? 0 : ends[value - 1];
    for (auto number = first + 1; number <= ends[value]; ++number) {
      if (number > first + 1) text += ' ';
      text += number < 10 ? fmt::format("\"${}\"", number) : fmt::format("\"${{{}}}\"", number);
    }
  }
  words.push_back(std::move(text));
  words.push_back(script.name);
  words.insert(words.end(), std::make_move_iterator(parameters.begin()),
               std::make_move_iterator(parameters.end()));
}

}  // namespace artel::command
