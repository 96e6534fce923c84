#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::scenario {

/// A formula over named numbers: "50ms + 0.12ms * ContextTokens + 12ms * GeneratedTokens".
///
/// Arithmetic, comparisons, `c ? a : b`, min, max, sqrt, exp, ln and the like; the units ns us ms s
/// behind a number turn it into seconds. Names that are not identifiers go into backticks:
/// `prompt tokens`. Whether the names exist is for the caller to check.
/// Cost:    tens of nanoseconds per evaluation, no allocation.
/// Threads: one thread at a time.
class Expression {
 public:
  /// Errors: what is wrong and at which position; nothing longer than kBytesMax.
  [[nodiscard]] static Result<Expression> compile(std::string_view text);

  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// As it was written.
  [[nodiscard]] const std::string& text() const;
  /// Every name once.
  [[nodiscard]] const std::vector<std::string>& variables() const;

  /// The value with `values[i]` for `variables()[i]`; may be infinite or NaN.
  [[nodiscard]] double evaluate(std::span<const double> values);

  static constexpr std::size_t kBytesMax = 1000;

 private:
  struct Compiled;
  explicit Expression(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace artel::scenario
