#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/error.hpp"

namespace re2 {
class RE2;
}

namespace artel::command::detail {

/// A POSIX extended regular expression over bytes, with \t, \n, \d, \s, \w and \b besides; in
/// brackets, too, a backslash escapes.
/// Cost: find() takes time linear in the text, whatever the expression; a copy shares all.
/// Threads: any number of them may call find().
class Regex {
 public:
  /// The whole match and its first nine groups.
  static constexpr std::size_t kGroupsMax = 10;

  /// Errors: invalid: what is wrong with the expression, or it needs more than some MiB.
  [[nodiscard]] static Result<Regex> compile(const std::string& text);

  /// Where the leftmost match at or behind `from` begins, of several the longest; `groups`, one to
  /// kGroupsMax, are parts of the text, empty where one took no part. "^" matches at the text's
  /// beginning alone.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view text, std::size_t from,
                                                std::span<std::string_view> groups) const;

 private:
  explicit Regex(std::shared_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace artel::command::detail
