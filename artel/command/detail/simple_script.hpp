#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace artel::command::detail {

/// What stands for a placeholder in a text for read_script(): no script has one.
inline constexpr char kPlaceMark = '\0';

/// A word of a script that has marks. Between them it has plain characters alone.
struct MarkedWord {
  std::size_t begin = 0;
  std::size_t end = 0;
  /// It must remain one word: of a redirection or of `test`.
  bool one_word = false;
};

/// What is known of a script for sh.
struct SimpleScript {
  std::vector<MarkedWord> words;  ///< in order of the text
  bool has_parameters = false;    ///< it reads $1, $@ or others
};

/// Why a script with marks is refused, or why nothing is known of one without.
struct ScriptRefusal {
  std::size_t at = 0;  ///< of its text
  std::string why;
};

/// Reads a script for sh, dash, busybox or bash.
///
/// The rule for a mark: it stands in a word of its own or among plain characters, as
/// "out/MARK.txt", and that is an argument or the target of a redirection of a simple command,
/// outside of quotes and expansions. The command's name is a plain word, and the command does not
/// evaluate arguments, as `let` does. The script has no parameters, functions and arithmetic of its
/// own, and nowhere in it, quoted or not, is the name of a program that reads code, as `sh`, `eval`
/// and `ssh`. So a parameter in the place of the word is one argument for one program. Errors: a
/// mark somewhere else; quotes without end.
[[nodiscard]] tl::expected<SimpleScript, ScriptRefusal> read_script(std::string_view script);

/// Whether the text has $1, $@, ${2} or others somewhere, quoted or not.
[[nodiscard]] bool mentions_parameters(std::string_view script);

/// "column 7", or "line 2, column 7".
[[nodiscard]] std::string place_of(std::string_view text, std::size_t at);

}  // namespace artel::command::detail
