#include "artel/core/instant.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/require.hpp"

namespace artel {
namespace {

struct TimeUnit {
  std::string_view name;
  double seconds;
};

constexpr std::array<TimeUnit, 8> kTimeUnits{{{"ns", 1e-9},
                                              {"us", 1e-6},
                                              {"ms", 1e-3},
                                              {"s", 1.0},
                                              {"m", 60.0},  // read, not written
                                              {"min", 60.0},
                                              {"h", 3600.0},
                                              {"d", 86400.0}}};

}  // namespace

Duration from_seconds(double seconds) {
  ARTEL_REQUIRE(!std::isnan(seconds), "a duration must be a number");
  constexpr double kLimit = static_cast<double>(std::numeric_limits<Duration::rep>::max());
  const double nanoseconds = seconds * 1e9;
  if (nanoseconds >= kLimit) return Duration::max();
  if (nanoseconds <= -kLimit) return Duration::min();
  // As std::llround, which is a call that every simulated task would make twice: `rest` is exact,
  // since what is too large to have one is whole.
  const auto whole = static_cast<Duration::rep>(nanoseconds);
  const double rest = nanoseconds - static_cast<double>(whole);
  return Duration{whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0)};
}

Result<Duration> parse_duration(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::parse,
                fmt::format("'{}' is not a duration: {}; write a number and a unit "
                            "(ns, us, ms, s, min or m, h, d), for example \"250us\" or \"1h30m\"",
                            text.substr(0, 40), why));
  };
  if (text == "inf") return kForever;
  std::string_view rest = text;
  const double sign = rest.starts_with('-') ? -1 : 1;
  if (sign < 0) rest.remove_prefix(1);
  double seconds = 0;
  do {
    const auto number = take_number<double>(rest);
    if (!number || *number < 0) return refuse("no number");
    if (!std::isfinite(*number)) return refuse("the number is not finite");
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const auto name = rest.substr(0, rest.find_first_of("0123456789."));
    if (name.empty()) return refuse("no unit");
    const auto* const unit = std::ranges::find(kTimeUnits, name, &TimeUnit::name);
    if (unit == kTimeUnits.end()) return refuse(fmt::format("unknown unit '{}'", name));
    seconds += *number * unit->seconds;
    rest.remove_prefix(name.size());
  } while (!rest.empty());
  return from_seconds(sign * seconds);
}

std::string format_duration(Duration duration) {
  if (duration == kForever) return "inf";
  if (duration == Duration::zero()) return "0 s";
  const double seconds = to_seconds(duration);
  const TimeUnit* best = &kTimeUnits.front();
  for (const auto& unit : kTimeUnits) {
    // 0.9995 so that what rounds up to one whole of a unit is shown in it.
    if (std::abs(seconds) >= 0.9995 * unit.seconds) best = &unit;
  }
  const double number = seconds / best->seconds;
  const double size = std::abs(number);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", number, decimals, best->name);
}

}  // namespace artel
