#include "artel/command/detail/regex.hpp"

#include <fmt/core.h>
#include <regex.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"

namespace artel::command::detail {
namespace {

// \t and \n, which POSIX does not have.
std::string with_control_characters(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
    if (next == 't' || next == 'n') {
      result += next == 't' ? '\t' : '\n';
    } else {
      result += text[i];
      if (next != '\0') result += next;
    }
    if (next != '\0') ++i;
  }
  return result;
}

}  // namespace

Result<Regex> Regex::compile(const std::string& text) {
  auto compiled = std::make_unique<regex_t>();
  const auto expression = with_control_characters(text);
  if (const int error = ::regcomp(compiled.get(), expression.c_str(), REG_EXTENDED); error != 0) {
    std::array<char, 200> why{};
    ::regerror(error, compiled.get(), why.data(), why.size());
    return fail(ErrorCode::invalid,
                fmt::format("'{}' is no regular expression: {}", text, why.data()));
  }
  return Regex(std::shared_ptr<const regex_t>(compiled.release(), [](const regex_t* each) {
    auto* const owned = const_cast<regex_t*>(each);  // NOLINT(*-const-cast): regfree's type
    ::regfree(owned);
    delete owned;  // NOLINT(cppcoreguidelines-owning-memory)
  }));
}

}  // namespace artel::command::detail
