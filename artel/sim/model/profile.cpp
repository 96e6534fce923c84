#include "artel/sim/model/profile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kSpace = " \t\r";
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  for (auto from = line.find_first_not_of(kSpace); from != std::string_view::npos;) {
    const auto to = std::min(line.find_first_of(kSpace, from), line.size());
    words.push_back(line.substr(from, to - from));
    from = line.find_first_not_of(kSpace, to);
  }
  return words;
}

// Seconds or a value: a number that is not negative; else NaN.
double number_in(std::string_view word) {
  const double number = parse_number<double>(word).value_or(NAN);
  return std::isfinite(number) && number >= 0 ? number : NAN;
}

}  // namespace

Result<Profile> parse_profile(std::string_view text, std::string_view file_name) {
  Profile profile;
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto where = fmt::format("{}:{}", file_name, ++number);
    if (words.empty()) continue;
    const double second = words.size() == 2 ? number_in(words[1]) : NAN;
    if (words[0] == "PERIODICITY" && second > 0) {
      profile.period = from_seconds(second);
      continue;
    }
    const double first = number_in(words[0]);
    if (std::isnan(first) || std::isnan(second))
      return fail(ErrorCode::parse,
                  "expected a time in seconds and a value, or PERIODICITY and seconds", where);
    const auto at = from_seconds(first);
    if (!profile.changes.empty() && at <= profile.changes.back().at)
      return fail(ErrorCode::parse, "the times must ascend", where);
    profile.changes.push_back({.at = at, .value = second});
  }
  if (!profile.changes.empty() && profile.period <= profile.changes.back().at)
    return fail(ErrorCode::parse, "the period ends before the last change", std::string(file_name));
  return profile;
}

Task<> follow(Context& context, Profile profile, std::function<void(double value)> apply) {
  if (profile.changes.empty()) co_return;
  Duration before{-1};
  for (const auto& change : profile.changes) {
    ARTEL_REQUIRE(before < change.at, "the changes of a profile ascend", to_seconds(change.at));
    before = change.at;
  }
  ARTEL_REQUIRE(before < profile.period, "a period ends after the last change",
                to_seconds(profile.period));
  Instant begin = context.now();
  while (true) {
    for (const auto& change : profile.changes) {
      co_await context.sleep_until(later(begin, change.at));
      apply(change.value);
    }
    if (profile.period == kForever) co_return;
    begin = later(begin, profile.period);
  }
}

}  // namespace artel::sim
