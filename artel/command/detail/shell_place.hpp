#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace artel::command::detail {

/// What stands for a placeholder in a text for places_in_script(): no script has one.
inline constexpr char kPlaceMark = '\0';

/// Whose syntax a script has.
enum class ShellDialect : std::uint8_t {
  sh,    ///< what dash, bash and others have in common
  bash,  ///< with $'…', ((…)) and arrays
};

/// How a variable is spelled at a place of a script so that it stays one word, with its bytes.
struct ShellPlace {
  enum class Spelling : std::uint8_t {
    quoted,            ///< "$x": outside of quotes
    bare,              ///< ${x}: inside "…", or in a here-document
    in_single,         ///< '"$x"': inside '…'
    in_dollar_single,  ///< '"$x"$': inside $'…'
    nothing,           ///< in a comment
  };
  Spelling spelling = Spelling::quoted;
  bool number = false;    ///< the shell evaluates it: only a number may stand there
  bool one_word = false;  ///< several values are joined: a second word would mean something else
};

/// Why a script is refused.
struct ShellRefusal {
  std::size_t at = 0;  ///< of its text
  std::string why;     ///< and what to write instead
};

/// The places of a script's marks, in order of the text.
///
/// Follows the script as a shell does: quotes, $(…), `…` with its levels of backslashes, $((…)),
/// ${…}, here-documents, comments, the patterns of case. What shells do not agree on is refused, so
/// no place is taken for another one.
/// Errors: a mark where no spelling is safe, or a script that cannot be followed to its end.
[[nodiscard]] tl::expected<std::vector<ShellPlace>, ShellRefusal> places_in_script(
    std::string_view script, ShellDialect dialect);

}  // namespace artel::command::detail
