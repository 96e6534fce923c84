#include "artel/command/command_template.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/command/detail/script_finder.hpp"
#include "artel/command/detail/simple_script.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::command {
namespace {

using detail::place_of;
using detail::ScriptFinder;

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
    const auto* const first =
        word->pieces.empty() ? nullptr : std::get_if<std::string>(&word->pieces.front());
    const bool is_script = finder.take(!word->per_item    ? std::string_view(text)
                                       : first != nullptr ? std::string_view(*first)
                                                          : std::string_view{},
                                       !word->per_item);
    if (!is_script || !word->per_item) {
      words_.push_back(std::move(*word));
      continue;
    }
    const std::string shell(finder.script_shell());
    if (!detail::has_simple_scripts(shell) || script_) {
      return fail(ErrorCode::invalid,
                  shell + " would read the item as code; hand it over as an argument");
    }
    auto script = read_word(text, options, true);
    if (!script) return fail(script);
    if (const auto added = add_script(std::move(*script), false, shell); !added) return fail(added);
  }
  if (placeholders_.empty() && options.append && options.token.empty()) {
    const auto item = number_of(Placeholder::of_item("{}"));
    words_.push_back({.pieces = {item}, .per_item = true, .per_field = true});
  }
  return {};
}

// ---- expanding ----------------------------------------------------------------------------------

bool CommandTemplate::fixed_program() const { return !words_.front().per_item; }

// Of a parameter in a script: "${12345}" and a space.
constexpr std::size_t kParameterBytes = 11;
// At most, of a number of a job or a slot.
constexpr std::size_t kNumberBytes = 20;

std::size_t CommandTemplate::fixed_bytes() const {
  std::size_t bytes = 0;
  const auto add = [&](const Word& word) {
    for (const auto& piece : word.pieces) {
      const auto* const literal = std::get_if<std::string>(&piece);
      bytes += literal != nullptr ? literal->size() : kNumberBytes;
    }
  };
  for (const auto& word : words_) {
    if (script_ && &word == &words_[script_->word]) {
      for (const auto& text : script_->texts) add(text);
    } else if (!word.per_item) {
      add(word);
    }
    if (!word.per_item) ++bytes;
  }
  return bytes + (script_ ? script_->name.size() + 2 : 0);
}

std::size_t CommandTemplate::bytes_of(std::string_view item) const {
  std::size_t bytes = 0;
  const auto add = [&](const Word& word) {
    for (const auto& piece : word.pieces) {
      const auto* const literal = std::get_if<std::string>(&piece);
      bytes += literal != nullptr ? literal->size() : item.size();
    }
    ++bytes;
  };
  for (const auto& word : words_) {
    if (word.per_item && !(script_ && &word == &words_[script_->word])) add(word);
  }
  if (!script_) return bytes;
  for (const auto& value : script_->values) add(value);
  return bytes + script_->places.size() * kParameterBytes;
}

bool CommandTemplate::uses_slot() const {
  return std::ranges::find(placeholders_, Placeholder::Source::slot, &Placeholder::source) !=
         placeholders_.end();
}

bool CommandTemplate::repeats_words() const {
  const auto repeats = [](const Word& word) { return word.per_item && word.pieces.size() > 1; };
  if (script_ && std::ranges::any_of(script_->values, repeats)) return true;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (repeats(words_[i]) && !(script_ && i == script_->word)) return true;
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
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (script_ && i == script_->word) {
      expand_script(records, input, words);
    } else {
      expand_word(words_[i], records, input, words);
    }
  }
  return words;
}

}  // namespace artel::command
