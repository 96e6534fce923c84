#include "artel/arena/parameter_range.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/require.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::arena {
namespace {

// Where in the text "name=low..high" stands.
struct OpenEntry {
  std::size_t begin, equals, dots, end;
};

std::string_view without_spaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::optional<OpenEntry> open_entry(std::string_view text) {
  OpenEntry entry{};
  entry.dots = text.find("..");
  if (entry.dots == std::string_view::npos) return std::nullopt;
  entry.end = text.find_first_of(";)", entry.dots);
  entry.equals = text.rfind('=', entry.dots);
  if (entry.end == std::string_view::npos || entry.equals == std::string_view::npos)
    return std::nullopt;
  const auto before = text.find_last_of("(;", entry.equals);
  if (before == std::string_view::npos || text.find_last_of("(;", entry.dots) != before ||
      text.find("..", entry.end) != std::string_view::npos)
    return std::nullopt;
  entry.begin = before + 1;
  return entry;
}

struct End {
  double value;
  bool whole, time;
};

std::optional<End> read_end(std::string_view text) {
  if (const auto number = parse_number<double>(text)) {
    if (!std::isfinite(*number)) return std::nullopt;
    return End{*number, text.find_first_of(".eE") == std::string_view::npos, false};
  }
  const auto duration = parse_duration(text);
  if (!duration || *duration == kForever) return std::nullopt;
  return End{to_seconds(*duration), false, true};
}

double four_digits(double value) {
  return parse_number<double>(fmt::format("{:.4g}", value)).value_or(value);
}

// Of a range that has been read, so that there is one.
OpenEntry entry_of(const ParameterRange& range) {
  const auto entry = open_entry(range.text);
  ARTEL_REQUIRE(entry.has_value(), "a range that was parsed", range.text);
  return *entry;
}

}  // namespace

Result<ParameterRange> parse_parameter_range(std::string_view text) {
  const auto refuse = [text](std::string_view what) {
    return fail(ErrorCode::parse, std::string(what), std::string(text));
  };
  constexpr std::size_t kTried = 17;
  const auto entry = open_entry(text);
  if (!entry) return refuse("expected one parameter with a range, like jsq(d=1..16)");
  const auto low =
      read_end(without_spaces(text.substr(entry->equals + 1, entry->dots - entry->equals - 1)));
  const auto high =
      read_end(without_spaces(text.substr(entry->dots + 2, entry->end - entry->dots - 2)));
  if (!low || !high || low->time != high->time)
    return refuse("expected a range of numbers or of times, like 1..16, 0.5..8 or 10ms..1s");
  if (low->value >= high->value) return refuse("the range ends before it begins");
  ParameterRange range{.text = std::string(text),
                       .parameter = std::string(
                           without_spaces(text.substr(entry->begin, entry->equals - entry->begin))),
                       .low = low->value,
                       .high = high->value,
                       .whole = low->whole && high->whole,
                       .time = low->time};
  for (const double value : spread(range, range.low, range.high, kTried)) {
    const auto policy = policy_at(range, value);
    if (!policy) return fail(policy.error().code, policy.error().what, range.text);
  }
  return range;
}

std::string value_text(const ParameterRange& range, double value) {
  return range.whole ? fmt::format("{:.0f}", value)
                     : fmt::format("{:.4g}{}", value, range.time ? "s" : "");
}

Result<scenario::PolicySpec> policy_at(const ParameterRange& range, double value) {
  const auto entry = entry_of(range);
  auto text = range.text;
  text.replace(entry.equals + 1, entry.end - entry.equals - 1, value_text(range, value));
  return scenario::parse_policy_spec(text);
}

Result<scenario::PolicySpec> policy_without(const ParameterRange& range) {
  const auto entry = entry_of(range);
  auto text = range.text;
  const bool first = text[entry.begin - 1] == '(';
  const bool last = text[entry.end] == ')';
  if (first && last) {
    text.erase(entry.begin - 1, entry.end + 2 - entry.begin);
  } else if (first) {
    const auto next = std::min(text.find_first_not_of(' ', entry.end + 1), text.size());
    text.erase(entry.begin, next - entry.begin);
  } else {
    text.erase(entry.begin - 1, entry.end + 1 - entry.begin);
  }
  return scenario::parse_policy_spec(text);
}

std::vector<double> spread(const ParameterRange& range, double low, double high,
                           std::size_t count) {
  ARTEL_REQUIRE(low < high && count >= 2, "a range and some values in it", low, high, count);
  std::vector<double> values{low};
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    const double value = low > 0 ? low * std::pow(high / low, share) : low + (high - low) * share;
    const double rounded = range.whole ? std::round(value) : four_digits(value);
    if (rounded > values.back() && rounded < high) values.push_back(rounded);
  }
  values.push_back(high);
  return values;
}

}  // namespace artel::arena
