#include "artel/command/log_spelling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/command/detail/is_plain_character.hpp"
#include "artel/core/error.hpp"

namespace artel::command {
namespace {

using detail::is_control_character;
using detail::is_plain_character;

std::string with_escapes(std::string_view word) {
  std::string spelled = "$'";
  for (const char c : word) {
    if (c == '\n') {
      spelled += "\\n";
    } else if (c == '\t') {
      spelled += "\\t";
    } else if (is_control_character(c)) {
      spelled += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      if (c == '\'' || c == '\\') spelled += '\\';
      spelled += c;
    }
  }
  return spelled + "'";
}

std::string spelled_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain_character)) return std::string(word);
  if (std::ranges::any_of(word, is_control_character)) return with_escapes(word);
  std::string spelled = "'";
  for (const char c : word) spelled += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return spelled + "'";
}

class LoggedWords {
 public:
  explicit LoggedWords(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> words() {
    std::vector<std::string> words;
    do {
      std::string word;
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != ' ') {
        if (!part(word)) return wrong();
      }
      if (at_ == begin) return wrong();
      words.push_back(std::move(word));
    } while (at_++ < text_.size());
    return words;
  }

 private:
  [[nodiscard]] bool takes(std::string_view expected) {
    const bool there = text_.substr(at_).starts_with(expected);
    if (there) at_ += expected.size();
    return there;
  }

  bool part(std::string& word) {
    if (is_plain_character(text_[at_])) {
      word += text_[at_++];
      return true;
    }
    if (takes("\\'")) {
      word += '\'';
      return true;
    }
    if (takes("$'")) return escapes(word);
    const auto end = text_.find('\'', at_ + 1);
    if (text_[at_] != '\'' || end == std::string_view::npos) return false;
    word += text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  // Behind "$'".
  bool escapes(std::string& word) {
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == '\'') {
        ++at_;
        return true;
      }
      if (c == '\\' && !escaped(c)) return false;
      word += c;
    }
    return false;
  }

  // What a backslash and the characters behind it stand for; at the last of them then.
  bool escaped(char& c) {
    constexpr std::string_view kNames = R"(nt'\)";
    constexpr std::string_view kValues = "\n\t'\\";
    const auto rest = text_.substr(at_ + 1, 3);
    if (const auto name = rest.empty() ? std::string_view::npos : kNames.find(rest.front());
        name != std::string_view::npos) {
      c = kValues[name];
      ++at_;
      return true;
    }
    const auto is_octal = [](char digit) { return digit >= '0' && digit <= '7'; };
    if (rest.size() < 3 || rest.front() > '3' || !std::ranges::all_of(rest, is_octal)) return false;
    c = static_cast<char>((rest[0] - '0') * 64 + (rest[1] - '0') * 8 + (rest[2] - '0'));
    at_ += 3;
    return c != '\0';
  }

  [[nodiscard]] tl::unexpected<Error> wrong() const {
    constexpr std::size_t kShown = 20;
    return fail(ErrorCode::parse,
                at_ >= text_.size()
                    ? "the command ends within a word"
                    : fmt::format("column {} of the command: found \"{}\"; expected words, quoted "
                                  "as artel map quotes them",
                                  at_ + 1, text_.substr(at_, kShown)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string log_spelling(std::span<const std::string> words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + spelled_word(word);
  return line;
}

Result<std::vector<std::string>> parse_log_spelling(std::string_view text) {
  return LoggedWords(text).words();
}

}  // namespace artel::command
