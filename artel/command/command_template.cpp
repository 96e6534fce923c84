#include "artel/command/command_template.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/command/detail/script_finder.hpp"
#include "artel/command/detail/shell_place.hpp"
#include "artel/command/detail/shell_script.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::command {
namespace {

using detail::ScriptFinder;
using detail::ShellDialect;

// "column 7", or "line 2, column 7".
std::string place_of(std::string_view text, std::size_t at) {
  const auto before = text.substr(0, at);
  const auto line = std::ranges::count(before, '\n') + 1;
  const auto column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return line == 1 ? fmt::format("column {}", column)
                   : fmt::format("line {}, column {}", line, column);
}

// How much of `text` no placeholder may begin in: "${" is the shell's.
std::size_t skipped(std::string_view text, bool script) {
  if (text.starts_with("${")) return 2;
  if (script && (text.starts_with("\\\\") || text.starts_with("\\$") || text.starts_with("$$")))
    return 2;
  return text.starts_with('{') ? 0 : 1;
}

}  // namespace

// ---- reading ------------------------------------------------------------------------------------

std::size_t CommandTemplate::number_of(Placeholder placeholder) {
  const auto same = std::ranges::find(placeholders_, placeholder.text(), &Placeholder::text);
  const auto number = static_cast<std::size_t>(same - placeholders_.begin());
  if (same == placeholders_.end()) placeholders_.push_back(std::move(placeholder));
  return number;
}

Result<CommandTemplate::Word> CommandTemplate::read_word(std::string_view text,
                                                         const TemplateOptions& options,
                                                         bool script) {
  Word word{.pieces = {}, .per_field = true};
  std::string literal;
  for (std::size_t at = 0; at < text.size();) {
    const auto rest = text.substr(at);
    std::optional<Placeholder> found;
    if (!options.token.empty()) {
      if (rest.starts_with(options.token)) found = Placeholder::of_item(options.token);
    } else if (rest.starts_with('{')) {
      auto read = Placeholder::read(rest, options.fields);
      if (!read) return fail(ErrorCode::invalid, read.error().what, place_of(text, at));
      found = std::move(*read);
    }
    if (!found) {
      const auto count =
          options.token.empty() ? std::max<std::size_t>(skipped(rest, script), 1) : 1;
      literal += rest.substr(0, count);
      at += count;
      continue;
    }
    at += found->text().size();
    if (found->source() == Placeholder::Source::item) {
      word.per_item = true;
      word.per_field = word.per_field && found->field() == 0;
    }
    if (!literal.empty()) word.pieces.emplace_back(std::exchange(literal, {}));
    word.pieces.emplace_back(number_of(std::move(*found)));
  }
  if (!literal.empty()) word.pieces.emplace_back(std::move(literal));
  return word;
}

Result<CommandTemplate> CommandTemplate::parse(std::span<const std::string> words,
                                               const TemplateOptions& options) {
  if (words.empty()) return fail(ErrorCode::invalid, "no command to run");
  CommandTemplate parsed;
  parsed.fields_of_job_ = options.fields.of_job;
  const auto read = options.reader == Reader::shell ? parsed.read_script(words, options)
                                                    : parsed.read_program(words, options);
  if (!read) return fail(read);
  return parsed;
}

CommandTemplate CommandTemplate::items_are_scripts(const std::string& shell) {
  CommandTemplate parsed;
  for (const auto& word : {shell, std::string("-c")}) {
    parsed.words_.push_back({.pieces = {word}});
  }
  const auto item = parsed.number_of(Placeholder::of_item("{}"));
  parsed.words_.push_back({.pieces = {item}, .per_item = true, .per_field = true});
  return parsed;
}

Result<void> CommandTemplate::read_program(std::span<const std::string> words,
                                           const TemplateOptions& options) {
  ScriptFinder finder;
  for (const auto& text : words) {
    auto word = read_word(text, options, false);
    if (!word) return fail(word);
    const bool known = !word->per_item;
    const bool is_script =
        finder.take(known ? std::optional<std::string_view>(text) : std::nullopt);
    if (!is_script || !word->per_item) {
      words_.push_back(std::move(*word));
      continue;
    }
    const auto dialect = detail::dialect_of(finder.script_shell());
    if (!dialect || script_) {
      return fail(ErrorCode::invalid,
                  fmt::format("{} would read the item as code; hand it over as an argument",
                              finder.script_shell()));
    }
    auto script = read_word(text, options, true);
    if (!script) return fail(script);
    if (auto added = add_script(std::move(*script), *dialect, true); !added) return added;
    if (&text == &words.back()) words_.push_back({.pieces = {std::string(finder.script_shell())}});
  }
  if (placeholders_.empty() && options.append && options.token.empty()) {
    const auto item = number_of(Placeholder::of_item("{}"));
    words_.push_back({.pieces = {item}, .per_item = true, .per_field = true});
  }
  return {};
}

Result<void> CommandTemplate::read_script(std::span<const std::string> words,
                                          const TemplateOptions& options) {
  const auto dialect = detail::dialect_of(options.shell);
  if (!dialect) {
    return fail(ErrorCode::invalid,
                fmt::format("'{}' is no shell whose syntax is known: sh, dash, bash, ksh, zsh",
                            options.shell),
                "--shell");
  }
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  auto script = read_word(text, options, true);
  if (!script) return fail(script);
  if (placeholders_.empty() && options.append && options.token.empty()) {
    script->pieces.emplace_back(" ");
    script->pieces.emplace_back(number_of(Placeholder::of_item("{}")));
    script->per_item = true;
  }
  const auto name = options.shell.substr(options.shell.rfind('/') + 1);
  words_ = {{.pieces = {options.shell}}, {.pieces = {std::string("-c")}}};
  if (auto added = add_script(std::move(*script), *dialect, false); !added) return added;
  words_.push_back({.pieces = {name}});
  return {};
}

Result<void> CommandTemplate::add_script(Word word, ShellDialect dialect, bool keeps_parameters) {
  std::string marked;
  std::string written;
  std::vector<std::size_t> origin;  // of each character of `marked` in `written`
  for (const auto& piece : word.pieces) {
    if (const auto* const literal = std::get_if<std::string>(&piece)) {
      for (std::size_t i = 0; i < literal->size(); ++i) origin.push_back(written.size() + i);
      marked += *literal;
      written += *literal;
      continue;
    }
    const auto& placeholder = placeholders_[std::get<std::size_t>(piece)];
    marked += placeholder.source() == Placeholder::Source::item ? detail::kPlaceMark : '0';
    origin.push_back(written.size());
    written += placeholder.text();
  }
  auto places = detail::places_in_script(marked, dialect);
  if (!places) {
    const auto at = places.error().at;
    return fail(
        ErrorCode::invalid, places.error().why,
        place_of(written, at < origin.size() ? origin[at] : written.size()) + " of the script");
  }
  script_ = Script{
      .word = words_.size(), .places = std::move(*places), .keeps_parameters = keeps_parameters};
  words_.push_back(std::move(word));
  return {};
}

// ---- expanding ----------------------------------------------------------------------------------

bool CommandTemplate::fixed_program() const { return !words_.front().per_item; }

// A variable of a script is named once where it is set and at each place.
constexpr std::size_t kVariableBytes = 40;

std::size_t CommandTemplate::fixed_bytes() const {
  std::size_t bytes = 0;
  for (const auto& word : words_) {
    if (word.per_item && (!script_ || &word != &words_[script_->word])) continue;
    for (const auto& piece : word.pieces) {
      const auto* const literal = std::get_if<std::string>(&piece);
      bytes += literal != nullptr ? literal->size() : kVariableBytes;
    }
    ++bytes;
  }
  return bytes;
}

std::size_t CommandTemplate::bytes_of(std::string_view item) const {
  std::size_t bytes = 0;
  for (const auto& word : words_) {
    if (!word.per_item) continue;
    const bool script = script_ && &word == &words_[script_->word];
    for (const auto& piece : word.pieces) {
      const auto* const literal = std::get_if<std::string>(&piece);
      if (literal == nullptr) {
        bytes += item.size() + (script ? 2 * kVariableBytes : 0);
      } else if (!script) {
        bytes += literal->size();
      }
    }
    ++bytes;
  }
  return bytes;
}

bool CommandTemplate::uses_slot() const {
  return std::ranges::find(placeholders_, Placeholder::Source::slot, &Placeholder::source) !=
         placeholders_.end();
}

bool CommandTemplate::repeats_words() const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const bool is_script = script_ && i == script_->word;
    if (words_[i].per_item && words_[i].pieces.size() > 1 && !is_script) return true;
  }
  return false;
}

std::vector<CommandTemplate::Fields> CommandTemplate::records_of(const JobInput& input) const {
  std::vector<Fields> records;
  for (const auto& item : input.items) {
    auto fields = fields_of(item);
    if (fields_of_job_ && !records.empty()) {
      records.front().insert(records.front().end(), fields.begin(), fields.end());
    } else {
      records.push_back(std::move(fields));
    }
  }
  return records;
}

std::string CommandTemplate::number_at(const Placeholder& placeholder,
                                       const JobInput& input) const {
  return std::to_string(placeholder.source() == Placeholder::Source::job ? input.job : input.slot);
}

std::string CommandTemplate::fill(const Word& word, const Fields& fields,
                                  const JobInput& input) const {
  std::string text;
  for (const auto& piece : word.pieces) {
    if (const auto* const literal = std::get_if<std::string>(&piece)) {
      text += *literal;
      continue;
    }
    const auto& placeholder = placeholders_[std::get<std::size_t>(piece)];
    if (placeholder.source() != Placeholder::Source::item) {
      text += number_at(placeholder, input);
    } else if (placeholder.field() != 0) {
      text += placeholder.fill(placeholder.field_among(fields));
    } else {
      for (std::size_t i = 0; i < fields.size(); ++i) {
        text += (i > 0 ? " " : "") + placeholder.fill(fields[i]);
      }
    }
  }
  return text;
}

void CommandTemplate::expand_word(const Word& word, const std::vector<Fields>& records,
                                  const JobInput& input, std::vector<std::string>& words) const {
  if (!word.per_item) {
    words.push_back(fill(word, {}, input));
    return;
  }
  for (const auto& fields : records) {
    if (!word.per_field) {
      words.push_back(fill(word, fields, input));
      continue;
    }
    for (const auto field : fields) words.push_back(fill(word, {field}, input));
  }
}

std::vector<std::string> CommandTemplate::expand(const JobInput& input) const {
  ARTEL_REQUIRE(!input.items.empty(), "a job has items");
  const auto records = records_of(input);
  std::vector<std::string> words;
  words.reserve(words_.size() + input.items.size());
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (script_ && i == script_->word) {
      expand_script(*script_, records, input, words, parameters);
    } else {
      expand_word(words_[i], records, input, words);
    }
    if (script_ && i == script_->word + 1) {
      words.insert(words.end(), std::make_move_iterator(parameters.begin()),
                   std::make_move_iterator(parameters.end()));
    }
  }
  return words;
}

std::vector<std::string> CommandTemplate::values_of(const Placeholder& placeholder,
                                                    const std::vector<Fields>& records) const {
  std::vector<std::string> values;
  for (const auto& fields : records) {
    if (placeholder.field() != 0) {
      values.push_back(placeholder.fill(placeholder.field_among(fields)));
      continue;
    }
    for (const auto field : fields) values.push_back(placeholder.fill(field));
  }
  return values;
}

void CommandTemplate::expand_script(const Script& known, const std::vector<Fields>& records,
                                    const JobInput& input, std::vector<std::string>& words,
                                    std::vector<std::string>& parameters) const {
  detail::ShellScript script;
  auto place = known.places.begin();
  for (const auto& piece : words_[known.word].pieces) {
    if (const auto* const literal = std::get_if<std::string>(&piece)) {
      script.add_text(*literal);
      continue;
    }
    const auto number = std::get<std::size_t>(piece);
    const auto& placeholder = placeholders_[number];
    if (placeholder.source() != Placeholder::Source::item) {
      script.add_text(number_at(placeholder, input));
    } else {
      script.add_values(number, [&] { return values_of(placeholder, records); }, *place++);
    }
  }
  words.push_back(script.text(known.keeps_parameters));
  parameters = script.take_parameters();
}

}  // namespace artel::command
