#include "artel/file/parse_timestamp.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::file {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes what it reads off the front of the text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] bool at_digit() const { return !rest_.empty() && is_digit(rest_.front()); }

  bool skip(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `digits` digits.
  std::optional<int> number(std::size_t digits) {
    int value = 0;
    if (rest_.size() < digits) return std::nullopt;
    for (const char c : rest_.substr(0, digits)) {
      if (!is_digit(c)) return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }

  // All digits that follow, as a fraction of `unit`; what is finer than 1 is cut off.
  std::int64_t fraction(std::int64_t unit) {
    std::int64_t value = 0;
    for (; at_digit(); rest_.remove_prefix(1)) {
      unit /= 10;
      value += (rest_.front() - '0') * unit;
    }
    return value;
  }

  // All digits that follow; nothing beyond int64.
  std::optional<std::int64_t> whole() {
    const auto digits = rest_.substr(0, rest_.find_first_not_of("0123456789"));
    rest_.remove_prefix(digits.size());
    return parse_number<std::int64_t>(digits);
  }

 private:
  std::string_view rest_;
};

// Minutes east of UTC: "", "Z", "+01:00", "+0100", "-05".
std::optional<std::int64_t> zone_minutes(Scanner& text) {
  if (text.done() || (text.skip("Zz") && text.done())) return 0;
  const bool west = text.skip("-");
  if (!west && !text.skip("+")) return std::nullopt;
  const auto hours = text.number(2);
  if (!hours || *hours > 23) return std::nullopt;
  text.skip(":");
  const auto minutes = text.done() ? 0 : text.number(2);
  if (!minutes || *minutes > 59 || !text.done()) return std::nullopt;
  const std::int64_t east = *hours * 60 + *minutes;
  return west ? -east : east;
}

std::optional<std::int64_t> parse_iso(std::string_view whole_text) {
  Scanner text(whole_text);
  const auto year = text.number(4);
  if (!year || *year < 1678 || *year > 2261 || !text.skip("-")) return std::nullopt;
  const auto month = text.number(2);
  if (!month || !text.skip("-")) return std::nullopt;
  const auto day = text.number(2);
  if (!day || !text.skip(" Tt")) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  const auto hour = text.number(2);
  if (!date.ok() || !hour || *hour > 23 || !text.skip(":")) return std::nullopt;
  const auto minute = text.number(2);
  if (!minute || *minute > 59 || !text.skip(":")) return std::nullopt;
  const auto second = text.number(2);
  if (!second || *second > 60) return std::nullopt;  // 60: a leap second
  std::int64_t nanoseconds = 0;
  if (text.skip(".,")) {
    if (!text.at_digit()) return std::nullopt;
    nanoseconds = text.fraction(kSecond);
  }
  const auto zone = zone_minutes(text);
  if (!zone) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  const std::int64_t seconds = days * 86'400 + *hour * std::int64_t{3'600} +
                               *minute * std::int64_t{60} + *second - *zone * 60;
  return seconds * kSecond + nanoseconds;
}

// "1700158623.97996", "-3", "1.7e9" × unit nanoseconds.
std::optional<std::int64_t> parse_decimal(std::string_view whole_text, std::int64_t unit) {
  Scanner text(whole_text);
  const bool negative = text.skip("-");
  if (!text.at_digit()) return std::nullopt;
  const auto whole = text.whole();
  std::int64_t value = 0;
  if (!whole || __builtin_mul_overflow(*whole, unit, &value)) return std::nullopt;
  if (text.skip(".") && __builtin_add_overflow(value, text.fraction(unit), &value)) {
    return std::nullopt;
  }
  if (text.done()) return negative ? -value : value;
  const auto scientific = parse_number<double>(whole_text);
  if (!scientific) return std::nullopt;
  constexpr double kLimit = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  const double nanoseconds = *scientific * static_cast<double>(unit);
  if (!(nanoseconds > -kLimit && nanoseconds < kLimit)) return std::nullopt;
  return std::llround(nanoseconds);
}

struct Reading {
  std::string_view shape;
  std::optional<std::int64_t> value;
};

Reading read(std::string_view text, TimeFormat format) {
  switch (format) {
    case TimeFormat::iso:
      return {"a date and time like 2023-11-16 18:17:03.9799600", parse_iso(text)};
    case TimeFormat::seconds:
      return {"a number of seconds", parse_decimal(text, kSecond)};
    case TimeFormat::epoch_ms:
      return {"a number of milliseconds", parse_decimal(text, kSecond / 1'000)};
    case TimeFormat::epoch_us:
      return {"a number of microseconds", parse_decimal(text, kSecond / 1'000'000)};
    case TimeFormat::epoch_ns:
      return {"a number of nanoseconds", parse_decimal(text, 1)};
    case TimeFormat::automatic:
      break;
  }
  const bool dated = text.size() > 4 && text[4] == '-';
  return {
      "a date and time like 2023-11-16 18:17:03.9799600, or a number of seconds (anything else "
      "needs time_format)",
      dated ? parse_iso(text) : parse_decimal(text, kSecond)};
}

}  // namespace

Result<Duration> parse_timestamp(std::string_view text, TimeFormat format) {
  const auto [shape, value] = read(text, format);
  if (!value) {
    return fail(ErrorCode::parse,
                fmt::format("found '{}'; expected {}", text.substr(0, 40), shape));
  }
  return Duration{*value};
}

}  // namespace artel::file
