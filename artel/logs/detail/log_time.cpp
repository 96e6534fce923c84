#include "artel/logs/detail/log_time.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/logs/log_format.hpp"

namespace artel::logs::detail {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Two digits, or -1.
int pair_at(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) { return static_cast<unsigned>(text[i] - '0'); };
  if (at + 2 > text.size() || digit(at) > 9 || digit(at + 1) > 9) return -1;
  return static_cast<int>(digit(at) * 10 + digit(at + 1));
}

// ".655" in nanoseconds, taken off the front; nothing when there are no digits.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  if (!text.starts_with('.')) return 0;
  std::int64_t unit = kSecond;
  std::int64_t value = 0;
  std::size_t at = 1;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    unit /= 10;
    value += (text[at] - '0') * unit;
  }
  if (at == 1) return std::nullopt;
  text.remove_prefix(at);
  return value;
}

// The first second of "10/Oct/2000".
std::optional<std::int64_t> read_day(std::string_view text) {
  const int day = pair_at(text, 0);
  const auto* const month = std::ranges::find(kMonths, text.substr(3, 3));
  const int century = pair_at(text, 7);
  const int year = pair_at(text, 9);
  if (day < 0 || century < 17 || year < 0 || text[2] != '/' || text[6] != '/' ||
      month == kMonths.end() || century > 21) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{
      std::chrono::year{century * 100 + year},
      std::chrono::month{static_cast<unsigned>(month - kMonths.begin()) + 1},
      std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch().count() * std::int64_t{86'400};
}

std::optional<LogTime> read_iso(std::string_view text) {
  const auto time = file::parse_timestamp(text, file::TimeFormat::iso);
  if (!time) return std::nullopt;
  constexpr std::size_t kWholeSeconds = 19;  // 2023-11-16T18:17:03
  const auto rest = text.substr(std::min(text.size(), kWholeSeconds));
  return LogTime{.since_1970 = *time,
                 .has_zone = rest.find_first_of("Zz+-") != std::string_view::npos,
                 .whole_s = rest.find_first_of(".,") == std::string_view::npos};
}

// A number since 1970: what unit it is its size says. Below, it counts from anywhere.
std::optional<LogTime> read_number(std::string_view text) {
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  constexpr std::size_t kMs = 12, kUs = 15, kNs = 18;  // digits that seconds never have
  const auto format = digits >= kNs   ? file::TimeFormat::epoch_ns
                      : digits >= kUs ? file::TimeFormat::epoch_us
                      : digits >= kMs ? file::TimeFormat::epoch_ms
                                      : file::TimeFormat::seconds;
  const auto time = file::parse_timestamp(text, format);
  if (!time) return std::nullopt;
  return LogTime{.since_1970 = *time};
}

std::optional<file::TimeFormat> unit_of(FieldForm form) {
  switch (form) {
    case FieldForm::seconds:
      return file::TimeFormat::seconds;
    case FieldForm::milliseconds:
      return file::TimeFormat::epoch_ms;
    case FieldForm::microseconds:
      return file::TimeFormat::epoch_us;
    case FieldForm::nanoseconds:
      return file::TimeFormat::epoch_ns;
    default:
      return std::nullopt;
  }
}

// "1-02:03:04.5"
std::optional<Duration> read_clock(std::string_view text) {
  std::int64_t days = 0;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto read = file::parse_timestamp(text.substr(0, dash), file::TimeFormat::epoch_ns);
    constexpr std::int64_t kDaysMost = 36'500;
    if (!read || read->count() > kDaysMost) return std::nullopt;
    days = read->count();
    text.remove_prefix(dash + 1);
  }
  std::int64_t seconds = 0;
  for (;; text.remove_prefix(3)) {
    const int part = pair_at(text, 0);
    if (part < 0) return std::nullopt;
    seconds = seconds * 60 + part;
    if (text.size() < 3 || text[2] != ':') break;
  }
  text.remove_prefix(2);
  const auto fraction = take_fraction(text);
  if (!fraction || !text.empty()) return std::nullopt;
  return Duration{(days * 86'400 + seconds) * kSecond + *fraction};
}

}  // namespace

// "10/Oct/2000:13:55:36 -0700", "06/Feb/2009:12:14:14.655"; brackets around it are Apache's.
std::optional<LogTime> TimeReader::read_clf(std::string_view text) {
  constexpr std::size_t kDay = 11, kClock = 20;
  if (text.size() < kClock || text[kDay] != ':' || text[14] != ':' || text[17] != ':')
    return std::nullopt;
  if (text.substr(0, kDay) != std::string_view(day_.data(), kDay)) {
    const auto begins = read_day(text.substr(0, kDay));
    if (!begins) return std::nullopt;
    std::copy_n(text.begin(), kDay, day_.begin());
    day_s_ = *begins;
  }
  const int hour = pair_at(text, 12);
  const int minute = pair_at(text, 15);
  const int second = pair_at(text, 18);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
    return std::nullopt;
  auto rest = text.substr(kClock);
  LogTime time{.has_zone = false, .whole_s = !rest.starts_with('.')};
  const auto fraction = take_fraction(rest);
  if (!fraction) return std::nullopt;
  std::int64_t east = 0;
  if (!rest.empty()) {
    const int hours = pair_at(rest, 2);
    const int minutes = pair_at(rest, 4);
    if (rest.size() != 6 || rest[0] != ' ' || (rest[1] != '+' && rest[1] != '-') || hours < 0 ||
        hours > 23 || minutes < 0 || minutes > 59) {
      return std::nullopt;
    }
    time.has_zone = true;
    east = (hours * std::int64_t{60} + minutes) * (rest[1] == '-' ? -60 : 60);
  }
  time.since_1970 = Duration{
      (day_s_ + hour * std::int64_t{3600} + minute * std::int64_t{60} + second - east) * kSecond +
      *fraction};
  return time;
}

std::optional<LogTime> TimeReader::read(std::string_view text, FieldForm form) {
  if (const auto unit = unit_of(form)) {
    const auto time = file::parse_timestamp(text, *unit);
    if (!time) return std::nullopt;
    return LogTime{.since_1970 = *time};
  }
  if (text.size() > 2 && text.front() == '[' && text.back() == ']')
    text = text.substr(1, text.size() - 2);
  if (text.size() > 4 && text[4] == '-') return read_iso(text);
  if (text.size() > 2 && text[2] == '/') return read_clf(text);
  return read_number(text);
}

LogLength read_length(std::string_view text, FieldForm form) {
  if (form == FieldForm::clock) {
    const auto length = read_clock(text);
    return {.length = length, .bad = !length};
  }
  const auto unit = unit_of(form).value_or(file::TimeFormat::seconds);
  LogLength sum;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(", :"), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(text.find_first_not_of(", :", end), text.size()));
    if (word.empty() || word.front() == '-') continue;  // aborted, or nobody was asked
    const auto length = file::parse_timestamp(word, unit);
    constexpr Duration kLongest{std::int64_t{1} << 59U};
    if (!length || *length > kLongest) return {.length = {}, .bad = true};
    sum.length = sum.length.value_or(Duration{}) + *length;
    if (*sum.length > kLongest) return {.length = {}, .bad = true};
  }
  return sum;
}

}  // namespace artel::logs::detail
