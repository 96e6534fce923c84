#include "artel/command/detail/regex.hpp"

#include <fmt/core.h>
#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::command::detail {
namespace {

re2::RE2::Options posix_over_bytes() {
  re2::RE2::Options options(re2::RE2::POSIX);
  options.set_encoding(re2::RE2::Options::EncodingLatin1);
  options.set_dot_nl(true);
  options.set_one_line(true);
  options.set_perl_classes(true);
  options.set_word_boundary(true);
  options.set_log_errors(false);
  return options;
}

}  // namespace

Result<Regex> Regex::compile(const std::string& text) {
  auto compiled = std::make_shared<const re2::RE2>(text, posix_over_bytes());
  if (!compiled->ok()) {
    return fail(ErrorCode::invalid,
                fmt::format("'{}' is no regular expression: {}", text, compiled->error()));
  }
  return Regex(std::move(compiled));
}

std::optional<std::size_t> Regex::find(std::string_view text, std::size_t from,
                                       std::span<std::string_view> groups) const {
  ARTEL_REQUIRE(!groups.empty() && groups.size() <= kGroupsMax, "no more groups", groups.size());
  std::array<re2::StringPiece, kGroupsMax> found;
  if (!compiled_->Match({text.data(), text.size()}, from, text.size(), re2::RE2::UNANCHORED,
                        found.data(), static_cast<int>(groups.size()))) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = {found[i].data(), found[i].size()};
  return static_cast<std::size_t>(groups[0].data() - text.data());
}

}  // namespace artel::command::detail
