#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/command/placeholder.hpp"
#include "artel/core/error.hpp"

namespace artel::command {
namespace detail {
struct SimpleScript;
}

/// Who reads the command.
enum class Reader : std::uint8_t {
  program,  ///< the words are the program and its arguments
  shell,    ///< the words, with spaces between, are a script
};

/// How the words of a command are read.
struct TemplateOptions {
  Reader reader = Reader::program;
  std::string shell = "/bin/sh";  ///< that reads a script: sh, dash, bash, zsh, ksh
  ItemFields fields{};
  /// What stands for the item, instead of all placeholders; empty: those of Placeholder.
  std::string token{};
  bool append = true;  ///< the items, if there is no placeholder
};

/// What one job is about.
struct JobInput {
  std::span<const std::string> items;  ///< at least one; with fields, see kFieldSeparator
  std::uint64_t job = 1;               ///< number of the job, from 1: {#}
  std::uint64_t slot = 1;  ///< number of its place among those that run at once, from 1: {%}
};

/// A command with placeholders for items.
///
/// No item is ever split, joined or read by a shell, whatever is in it:
///  - program: a word with a placeholder for items is there once for each item of the job
///    ("--in={}" becomes "--in=a", "--in=b"); each remains one argument. A word behind `sh -c` is a
///    script.
///  - script: items are its parameters. A word with placeholders becomes a parameter, "$1", for
///    each item; it must be an argument, or the target of a redirection, of a simple command. A
///    script that has "$1" itself gets the items, or an item's fields, as "$1", "$2", …
/// Without any placeholder, items are appended.
/// Cost: expand() copies each word once.
class CommandTemplate {
 public:
  /// Errors: no words; a placeholder that is not there, or that stands where a shell would read the
  /// item as code.
  [[nodiscard]] static Result<CommandTemplate> parse(std::span<const std::string> words,
                                                     const TemplateOptions& options);
  [[nodiscard]] static Result<CommandTemplate> parse(std::span<const std::string> words,
                                                     Reader reader) {
    return parse(words, TemplateOptions{.reader = reader});
  }
  /// Each item is a script itself, for `shell`.
  [[nodiscard]] static CommandTemplate items_are_scripts(const std::string& shell);

  /// The program and its arguments.
  [[nodiscard]] std::vector<std::string> expand(const JobInput& input) const;

  /// Bytes of a job's command line without items, and what an item adds to it.
  [[nodiscard]] std::size_t fixed_bytes() const;
  [[nodiscard]] std::size_t bytes_of(std::string_view item) const;

  /// Whether all jobs run the same program.
  [[nodiscard]] bool fixed_program() const;
  /// Whether some word depends on the slot.
  [[nodiscard]] bool uses_slot() const;
  /// Whether a word is there once for each item, with more than the item in it.
  [[nodiscard]] bool repeats_words() const;

 private:
  /// Literal text, or a placeholder: its number among placeholders_.
  using Piece = std::variant<std::string, std::size_t>;
  struct Word {
    std::vector<Piece> pieces;
    bool per_item = false;   // has a placeholder for items
    bool per_field = false;  // all of them are for all fields
    bool is_one = false;     // of a script: all items are joined, with spaces between
    bool operator==(const Word&) const = default;
  };
  /// Of a shell, behind -c: words_[word]. Its $0 and its parameters come right behind that.
  struct Script {
    std::size_t word = 0;
    std::string name;
    std::vector<Word> texts;          // before each parameter, and behind the last one
    std::vector<std::size_t> places;  // which of `values` stands between
    std::vector<Word> values;         // the words that are parameters, each once
  };
  /// An item's fields.
  using Fields = std::vector<std::string_view>;

  CommandTemplate() = default;
  [[nodiscard]] Result<Word> read_word(std::string_view text, const TemplateOptions& options,
                                       bool script);
  [[nodiscard]] Result<void> read_program(std::span<const std::string> words,
                                          const TemplateOptions& options);
  [[nodiscard]] Result<void> read_script(std::span<const std::string> words,
                                         const TemplateOptions& options);
  /// Whether the script reads items as its parameters. `shell`: where it stands behind -c.
  [[nodiscard]] Result<bool> add_script(Word word, bool appends, std::string_view shell);
  void set_script(const Word& word, const detail::SimpleScript& known, std::size_t size);
  [[nodiscard]] static std::string instead_of(const Placeholder& placeholder,
                                              std::string_view shell);
  [[nodiscard]] Word slice_of(const Word& word, std::size_t begin, std::size_t end) const;
  [[nodiscard]] std::size_t number_of(Placeholder placeholder);

  [[nodiscard]] std::vector<Fields> records_of(const JobInput& input) const;
  [[nodiscard]] std::string number_at(const Placeholder& placeholder, const JobInput& input) const;
  [[nodiscard]] std::string fill(const Word& word, const Fields& fields,
                                 const JobInput& input) const;
  void expand_word(const Word& word, const std::vector<Fields>& records, const JobInput& input,
                   std::vector<std::string>& words) const;
  void expand_script(const std::vector<Fields>& records, const JobInput& input,
                     std::vector<std::string>& words) const;

  std::vector<Word> words_;
  std::vector<Placeholder> placeholders_;  // each once
  std::optional<Script> script_;
  bool fields_of_job_ = false;  // {2} is the job's second item
};

}  // namespace artel::command
