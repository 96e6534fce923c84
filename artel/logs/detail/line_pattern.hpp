#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace artel::logs::detail {

/// The variables of a log format, each as it is written there: "$request_time", "%DURATION%",
/// "%{Referer}i".
[[nodiscard]] std::vector<std::string_view> variables_of(std::string_view pattern);

/// A log format made ready: a line is cut into the values of its variables.
///
/// A variable goes up to the first occurrence of the text that follows it in the format. What nginx
/// asked of several upstreams ("0.01, 0.02 : 0.03") is one value.
class LinePattern {
 public:
  /// Values are found for the fields of these names, in that order. `pattern` must outlive the
  /// object.
  LinePattern(std::string_view pattern, std::span<const std::string_view> names);

  /// Fills `values`, one per field; false, and `stopped` says at which byte, when the line is
  /// written otherwise.
  [[nodiscard]] bool match(std::string_view line, std::span<std::string_view> values,
                           std::size_t& stopped) const;

 private:
  static constexpr std::size_t kUnused = SIZE_MAX;
  struct Part {
    std::string_view before;      // text that stands before the variable
    std::size_t field = kUnused;  // where its value goes
    bool several = false;         // "a, b : c"
  };

  std::vector<Part> parts_;
  std::string_view end_;  // text behind the last variable
};

}  // namespace artel::logs::detail
