#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/command/detail/script_finder.hpp"
#include "artel/command/detail/shell_place.hpp"

namespace artel::command::detail {

template <std::size_t n>
[[nodiscard]] bool is_one_of(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// A character of names of variables, besides digits.
[[nodiscard]] inline bool is_letter(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] inline bool is_digit(int c) { return c >= '0' && c <= '9'; }

/// One pass over a script: behind places_in_script(). Recursive descent, one function for each
/// thing that nests. shell_scanner.cpp has quotes and expansions, shell_commands.cpp commands.
///
/// A refusal puts the position to the end, so that all that is under way ends.
class ShellScanner {
 public:
  ShellScanner(std::string_view text, ShellDialect dialect)
      : text_(text), end_(text.size()), dialect_(dialect) {}

  void whole_script() { commands(false); }
  [[nodiscard]] const std::optional<ShellRefusal>& refusal() const { return refusal_; }
  [[nodiscard]] std::vector<ShellPlace>& places() { return places_; }

 private:
  using Spelling = ShellPlace::Spelling;

  /// What an expansion stands in.
  enum class Around : std::uint8_t { words, double_quotes, here_document };

  /// What the next word is.
  enum class Expect : std::uint8_t {
    command,  // or a reserved word
    prefix,   // a command, behind assignments: no reserved words
    argument,
    case_subject,  // case HERE in
    case_in,
    case_pattern,
    loop_name,  // for HERE in …
    loop_in,
    function_name,  // function HERE
  };

  struct Word {
    std::size_t at = 0;
    std::size_t first_place = 0;
    std::string plain;     // up to the first quote or expansion
    bool is_plain = true;  // that is all of it
    bool assignment = false;
  };

  /// Arguments that are read once more: of which command, and which one is next.
  struct Watch {
    std::string name;
    std::string last;      // the argument before, if it is plain
    bool integer = false;  // declare -i
    ScriptFinder script;   // of a shell
  };

  /// What is known between two of its parentheses.
  struct Frame {
    Expect expect = Expect::command;
    bool target = false;   // the next word is that of a redirection
    int cases = 0;         // open ones
    bool in_test = false;  // [[ … ]]
    int test_parentheses = 0;
    bool number_next = false;
    std::size_t operand_places = 0;  // where those of the word before begin
    Watch watch;
  };

  struct HereDocument {
    std::string delimiter;
    bool quoted = false;
    bool strips_tabs = false;
  };

  static constexpr int kEnd = -1;
  static constexpr int kDepthMax = 100;

  [[nodiscard]] int look(std::size_t ahead = 0) const;
  void refuse(std::size_t at, std::string why);
  [[nodiscard]] bool has_place(const Word& word) const { return places_.size() > word.first_place; }
  void place(Spelling spelling) { places_.push_back({.spelling = spelling}); }

  // Quotes and expansions; each begins behind what opens it.
  void single_quotes(std::size_t opened);
  void dollar_single_quotes(std::size_t opened);
  void double_quotes(std::size_t opened, bool may_have_places = true);
  void escaped(Around around);
  bool expansion(Around around);
  void dollar(Around around);
  void back_quotes(Around around);
  void arithmetic(std::size_t opened);
  void parameter(Around around);
  void parameter_name();
  void parameter_word(Around around, std::string_view operation, std::size_t opened);
  void parameter_place(Around around, std::string_view operation);
  void comment();
  void delimiter(Frame& frame);
  void here_documents();
  void here_document(const HereDocument& document);
  [[nodiscard]] std::size_t end_of(const HereDocument& document, std::size_t& behind);

  // Commands.
  void commands(bool in_parentheses);
  void newline(Frame& frame);
  [[nodiscard]] bool closes(Frame& frame, bool in_parentheses);
  void open(Frame& frame);
  void separator(Frame& frame);
  void redirection(Frame& frame);
  Word word(bool element = false);
  bool word_part(Word& word, bool element);
  void array();
  void after_word(Frame& frame, const Word& word);
  void after_part_of_loop_or_case(Frame& frame, const Word& word);
  bool reserved(Frame& frame, const Word& word);
  void test_word(Frame& frame, const Word& word);
  void command_word(Frame& frame, const Word& word);
  void argument(Frame& frame, const Word& word);
  void shell_argument(Watch& watch, const Word& word);
  void only_numbers(std::size_t first_place);
  void one_word(std::size_t first_place);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t end_;
  ShellDialect dialect_;
  int depth_ = 0;
  std::vector<std::size_t> origin_;  // of each character; empty: its own position
  std::vector<HereDocument> pending_;
  std::vector<ShellPlace> places_;
  std::optional<ShellRefusal> refusal_;
};

}  // namespace artel::command::detail
