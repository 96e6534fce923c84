// Here-documents: their ends, and what is replaced in them.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "artel/command/detail/shell_place.hpp"
#include "artel/command/detail/shell_scanner.hpp"

namespace artel::command::detail {

// The word behind <<.
void ShellScanner::delimiter(Frame& frame) {
  HereDocument document;
  if (look() == '-') {
    document.strips_tabs = true;
    ++at_;
  }
  while (look() == ' ' || look() == '\t') ++at_;
  const std::size_t opened = at_;
  for (; look() != kEnd; ++at_) {
    const int c = look();
    if (std::string_view(" \t\n;&|<>()").find(static_cast<char>(c)) != std::string_view::npos)
      break;
    if (c == kPlaceMark || c == '$' || c == '`') {
      return refuse(at_, "the end of a here-document is a plain word");
    }
    if (c == '\'' || c == '"') {
      document.quoted = true;
      const auto close = text_.substr(0, end_).find(static_cast<char>(c), at_ + 1);
      if (close == std::string_view::npos) return refuse(at_, "this quote is not closed");
      document.delimiter += text_.substr(at_ + 1, close - at_ - 1);
      at_ = close;
    } else if (c == '\\') {
      document.quoted = true;
      if (look(1) != kEnd) document.delimiter += text_[++at_];
    } else {
      document.delimiter += static_cast<char>(c);
    }
  }
  if (document.delimiter.find_first_of(std::string_view("\0\n\\", 3)) != std::string::npos ||
      document.delimiter.empty()) {
    return refuse(opened, "the end of a here-document is a plain word");
  }
  frame.target = false;
  pending_.push_back(std::move(document));
}

void ShellScanner::here_documents() {
  for (const auto& document : std::exchange(pending_, {})) {
    if (!refusal_) here_document(document);
  }
}

// The text up to a line that is just the delimiter. Shells differ in whether such a line counts
// within $(…); so nothing may be open there.
void ShellScanner::here_document(const HereDocument& document) {
  std::size_t behind = 0;
  const std::size_t end = end_of(document, behind);
  if (refusal_) return;
  const std::size_t outer = std::exchange(end_, end);
  while (look() != kEnd) {
    const int c = look();
    if (document.quoted) {
      if (c == kPlaceMark) {
        refuse(at_, fmt::format("nothing is replaced in this here-document: write <<{} without "
                                "quotes",
                                document.delimiter));
      }
      ++at_;
    } else if (c == kPlaceMark) {
      place(Spelling::bare);
      ++at_;
    } else if (c == '\\') {
      escaped(Around::here_document);
    } else if (!expansion(Around::here_document)) {
      ++at_;
    }
  }
  end_ = outer;
  at_ = refusal_ ? end_ : behind;
}

std::size_t ShellScanner::end_of(const HereDocument& document, std::size_t& behind) {
  bool goes_on = false;  // the line before ends with a backslash
  for (std::size_t line = at_; line < end_;) {
    const auto newline = text_.substr(0, end_).find('\n', line);
    const std::size_t end = newline == std::string_view::npos ? end_ : newline;
    auto text = text_.substr(line, end - line);
    if (document.strips_tabs)
      text.remove_prefix(std::min(text.find_first_not_of('\t'), text.size()));
    if (!goes_on && text == document.delimiter) {
      behind = std::min(end + 1, end_);
      return line;
    }
    const auto backslashes = text.size() - (text.find_last_not_of('\\') + 1);
    goes_on = !document.quoted && backslashes % 2 == 1;
    line = end + 1;
  }
  refuse(at_, fmt::format("the here-document has no end: a line with just {}", document.delimiter));
  return end_;
}

}  // namespace artel::command::detail
