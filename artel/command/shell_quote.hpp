#pragma once

#include <span>
#include <string>
#include <string_view>

namespace artel::command {

/// `word` in single quotes with its bytes as they are, line breaks too: sh, dash, bash, zsh, fish
/// and busybox read it back as this one word.
[[nodiscard]] std::string literal_quote(std::string_view word);

/// `word` for people to read and to paste: the same shells read it back as this one word. Unquoted
/// if nothing in it is special; with control characters other than line breaks it is
/// "$(printf '\033')", so that a terminal shows them instead of obeying them.
[[nodiscard]] std::string shell_quote(std::string_view word);

/// The words of a command, the program first, with spaces between.
[[nodiscard]] std::string shell_quote(std::span<const std::string> words);

/// `text` for a terminal: a control character other than a line break is shown, as \033.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace artel::command
