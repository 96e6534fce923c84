#pragma once

#include <span>
#include <string>
#include <string_view>

namespace artel::command {

/// `word` as a shell reads it back as this one word: as it is if nothing in it is special, else in
/// single quotes, or as $'…' (bash, ksh, zsh) if it has control characters. Never has a line break.
[[nodiscard]] std::string shell_quote(std::string_view word);

/// `word` in single quotes, for the shells of other machines: any shell of POSIX reads it back as
/// this one word. Has the line breaks that `word` has.
[[nodiscard]] std::string posix_quote(std::string_view word);

/// The words quoted as by the first, with spaces between.
[[nodiscard]] std::string shell_quote(std::span<const std::string> words);

}  // namespace artel::command
