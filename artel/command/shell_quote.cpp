#include "artel/command/shell_quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "artel/command/detail/is_plain_character.hpp"

namespace artel::command {
namespace {

// Of them all, at the beginning of a word, too.
bool is_plain(std::string_view word) {
  return !word.empty() && word.front() != '=' && word.front() != '%' &&
         std::ranges::all_of(word, detail::is_plain_character);
}

// How many bytes of a control character `text` begins with. C2 80 to C2 9F are those that ISO 6429
// has besides ASCII's; terminals obey them, too.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.front() == '\n') return 0;
  if (detail::is_control_character(text.front())) return 1;
  return text.size() > 1 && byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
}

bool has_controls(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (control_length(text) > 0) return true;
  }
  return false;
}

std::string octal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  return text;
}

// A format of printf that begins with no dash. The shell takes away line breaks at its end, and
// fish does not find the end of what follows, unless it is simple.
std::string printed_word(std::string_view word) {
  const auto end = word.find_last_not_of('\n') + 1;
  std::string format;
  for (const char c : word.substr(0, end)) {
    const bool plain = c == ' ' || (detail::is_plain_character(c) && c != '-' && c != '%');
    format += plain ? std::string(1, c) : octal({&c, 1});
  }
  const auto breaks = std::string(word.substr(end));
  return "\"$(printf '" + format + "')\"" + (breaks.empty() ? "" : '\'' + breaks + '\'');
}

}  // namespace

// fish reads \' and \\ inside of single quotes, other shells do not: both stand outside.
std::string literal_quote(std::string_view word) {
  std::string quoted;
  bool open = false;
  for (const char c : word) {
    if (const bool wanted = c != '\'' && c != '\\'; open != wanted) {
      quoted += '\'';
      open = wanted;
    }
    if (!open) quoted += '\\';
    quoted += c;
  }
  if (open) quoted += '\'';
  return quoted.empty() ? "''" : quoted;
}

std::string shell_quote(std::string_view word) {
  if (is_plain(word)) return std::string(word);
  return has_controls(word) ? printed_word(word) : literal_quote(word);
}

std::string shell_quote(std::span<const std::string> words) {
  std::string line;
  for (const auto& word : words) {
    // a=b as the first word is an assignment.
    const bool assigns = line.empty() && is_plain(word) && word.find('=') != std::string::npos;
    line += (line.empty() ? "" : " ") + (assigns ? literal_quote(word) : shell_quote(word));
  }
  return line;
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const auto length = control_length(text);
    shown += length > 0 ? octal(text.substr(0, length)) : std::string(1, text.front());
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

}  // namespace artel::command
