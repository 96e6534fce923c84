#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::command {

/// What a placeholder stands for.
enum class Placeholder : std::uint8_t {
  item,                    ///< {}
  item_without_extension,  ///< {.}
  name,                    ///< {/}: after the last slash
  name_without_extension,  ///< {/.}
  folder,                  ///< {//}: before the last slash; "." if there is none
  job,                     ///< {#}: number of the job, from 1
  slot,                    ///< {%}: number of the slot that runs it, from 1
};

/// The text that a placeholder of the first five stands for, as dirname, basename and ${x%.*} would
/// give it.
[[nodiscard]] std::string_view part_of(std::string_view item, Placeholder placeholder);

/// Who reads the command.
enum class Reader : std::uint8_t {
  program,  ///< the words are the program and its arguments
  shell,    ///< the words, with spaces between, are a script for /bin/sh
};

/// What one job is about.
struct JobInput {
  std::span<const std::string> items;  ///< at least one
  std::uint64_t job = 1;
  std::uint64_t slot = 1;
};

/// A command with placeholders for items.
///
/// No item is ever split, joined or read by a shell, whatever is in it:
///  - program: a word with a placeholder for items is there once for each item of the job
///    ("--in={}" becomes "--in=a", "--in=b"); each remains one argument.
///  - shell: items are the script's parameters, and a placeholder becomes "${1}", quoted as its
///    place asks for: on its own, inside "…" or inside '…'. Several items stand side by side.
/// Without any placeholder for items, they are appended.
/// Cost: expand() copies each word once.
class CommandTemplate {
 public:
  /// Errors: no words.
  [[nodiscard]] static Result<CommandTemplate> parse(std::span<const std::string> words,
                                                     Reader reader);

  /// The program and its arguments.
  [[nodiscard]] std::vector<std::string> expand(const JobInput& input) const;

  /// Whether all jobs run the same program.
  [[nodiscard]] bool fixed_program() const;

 private:
  using Piece = std::variant<std::string, Placeholder>;
  struct Word {
    std::vector<Piece> pieces;
    bool per_item = false;  // has a placeholder for items
  };
  enum class Quote : std::uint8_t { none, single_quotes, double_quotes };

  CommandTemplate() = default;
  static Word parse_word(std::string_view text);
  static std::string fill(const Word& word, std::string_view item, const JobInput& input);
  [[nodiscard]] std::vector<std::string> expand_script(const JobInput& input) const;
  static void follow(Quote& quote, std::string_view text);

  Reader reader_ = Reader::program;
  std::vector<Word> words_;  // shell: one, the script
};

}  // namespace artel::command
