#pragma once

#include <regex.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "artel/core/error.hpp"

namespace artel::command::detail {

/// A POSIX extended regular expression over bytes, in which \t and \n are what they are elsewhere.
class Regex {
 public:
  /// Of the whole match and of the first nine groups; -1: it took no part.
  using Groups = std::array<regmatch_t, 10>;

  /// Errors: invalid: what is wrong with the expression.
  [[nodiscard]] static Result<Regex> compile(const std::string& text);

  /// The first match at or behind `from`, its positions counted from there. "^" matches at the
  /// text's beginning alone.
  [[nodiscard]] bool find(const std::string& text, std::size_t from, Groups& groups) const {
    return ::regexec(compiled_.get(), text.c_str() + from, groups.size(), groups.data(),
                     from > 0 ? REG_NOTBOL : 0) == 0;
  }

 private:
  explicit Regex(std::shared_ptr<const regex_t> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const regex_t> compiled_;
};

}  // namespace artel::command::detail
