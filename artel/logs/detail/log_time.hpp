#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/logs/log_format.hpp"

namespace artel::logs::detail {

/// A point in time as a log has it.
struct LogTime {
  Duration since_1970{};
  bool has_zone = true;  ///< or needs none; false: taken as UTC
  bool whole_s = false;  ///< a date and clock without anything finer than a second
};

/// Reads times of all kinds; fast where many lines are of one day.
class TimeReader {
 public:
  /// Nothing when it is no time of the form.
  [[nodiscard]] std::optional<LogTime> read(std::string_view text, FieldForm form);

 private:
  std::optional<LogTime> read_clf(std::string_view text);

  std::array<char, 11> day_{};  // "10/Oct/2000", and when that begins
  std::int64_t day_s_ = 0;
};

/// A length of time: a number of the form's unit (automatic: seconds), or a clock. "-", "" and
/// numbers below 0 are nothing, and not `bad`.
struct LogLength {
  std::optional<Duration> length;
  bool bad = false;
};
/// Several numbers ("0.01, 0.02 : 0.03") are added up.
[[nodiscard]] LogLength read_length(std::string_view text, FieldForm form);

}  // namespace artel::logs::detail
