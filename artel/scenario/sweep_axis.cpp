#include "artel/scenario/sweep_axis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>
#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/scenario/override.hpp"

namespace artel::scenario {
namespace {

/// A decimal number as an integer count of 10^-decimals, so that 0.1..0.9:0.1 ends at 0.9 exactly.
struct Decimal {
  std::int64_t digits = 0;
  int decimals = 0;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
  constexpr int kDecimalsMax = 9;
  constexpr std::size_t kLengthMax = 16;
  text = file::trimmed(text);
  if (text.size() > kLengthMax) return std::nullopt;
  std::string digits(text);
  int decimals = 0;
  if (const auto point = digits.find('.'); point != std::string::npos) {
    decimals = static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
    if (decimals == 0 || decimals > kDecimalsMax) return std::nullopt;
  }
  const auto whole = parse_number<std::int64_t>(digits);
  if (!whole) return std::nullopt;
  return Decimal{*whole, decimals};
}

// Fails beyond what sums of two can hold.
std::optional<std::int64_t> in_units(const Decimal& number, int decimals) {
  constexpr std::int64_t kDigitsMax = 1'000'000'000'000'000'000;
  std::int64_t digits = number.digits;
  for (int i = number.decimals; i < decimals; ++i) {
    if (std::abs(digits) > kDigitsMax / 10) return std::nullopt;
    digits *= 10;
  }
  return digits;
}

std::string to_text(std::int64_t digits, int decimals) {
  const auto text = fmt::format("{:0{}}", std::abs(digits), decimals + 1);
  const auto point = text.size() - static_cast<std::size_t>(decimals);
  return fmt::format("{}{}{}{}", digits < 0 ? "-" : "", text.substr(0, point),
                     decimals > 0 ? "." : "", text.substr(point));
}

tl::unexpected<Error> refuse(std::string_view found, std::string_view why) {
  return fail(ErrorCode::parse,
              fmt::format("found '{}': {}; expected first..last, first..last:step, or a list a,b,c "
                          "(8..32:4 is 8, 12, … 32)",
                          found, why));
}

Result<std::vector<std::string>> parse_range(std::string_view text, std::size_t dots) {
  const auto colon = std::min(text.find(':', dots), text.size());
  const auto first = parse_decimal(text.substr(0, dots));
  const auto last = parse_decimal(text.substr(dots + 2, colon - dots - 2));
  const auto step = colon < text.size() ? parse_decimal(text.substr(colon + 1)) : Decimal{1, 0};
  if (!first || !last || !step) return refuse(text, "not numbers");
  const int decimals = std::max({first->decimals, last->decimals, step->decimals});
  const auto begin = in_units(*first, decimals), end = in_units(*last, decimals),
             gap = in_units(*step, decimals);
  if (!begin || !end || !gap) return refuse(text, "too many digits");
  if (*gap <= 0) return refuse(text, "the step must be positive");
  if (*begin > *end) return refuse(text, "the first value is beyond the last");
  std::vector<std::string> values;
  for (auto value = *begin; value <= *end; value += *gap) {
    if (values.size() == kSweepPointsMax) {
      return refuse(text, fmt::format("more than {} values", kSweepPointsMax));
    }
    values.push_back(to_text(value, decimals));
  }
  return values;
}

}  // namespace

Result<std::vector<std::string>> parse_sweep_values(std::string_view text) {
  if (const auto dots = text.find(".."); dots != std::string_view::npos) {
    return parse_range(text, dots);
  }
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto value = file::trimmed(text.substr(begin, end - begin));
    if (value.empty()) return refuse(text, "a value is missing");
    values.emplace_back(value);
    begin = end + 1;
  }
  return values;
}

Result<SweepAxis> parse_sweep(std::string_view argument) {
  const auto where = fmt::format("--sweep {}", argument);
  const auto parts = parse_override(argument);
  if (!parts) {
    return fail(
        ErrorCode::parse,
        fmt::format("found '{}'; expected key.path=values, like pool.workers=8..32:4", argument),
        where);
  }
  auto values = parse_sweep_values(parts->value);
  if (!values) return fail(values.error().code, values.error().what, where);
  return SweepAxis{parts->key, std::move(*values), where};
}

Result<std::vector<std::vector<Override>>> combinations(std::span<const SweepAxis> axes) {
  if (axes.size() > kSweepAxesMax) {
    return fail(ErrorCode::too_large, fmt::format("more than {} keys are swept", kSweepAxesMax),
                axes[kSweepAxesMax].where);
  }
  std::vector<std::vector<Override>> points(1);
  for (const auto& axis : axes) {
    const bool twice = std::any_of(axes.data(), &axis,
                                   [&](const SweepAxis& before) { return before.key == axis.key; });
    if (twice) {
      return fail(ErrorCode::invalid, fmt::format("'{}' is swept twice", axis.key), axis.where);
    }
    if (points.size() * axis.values.size() > kSweepPointsMax) {
      return fail(ErrorCode::too_large,
                  fmt::format("the sweep has more than {} points", kSweepPointsMax), axis.where);
    }
    std::vector<std::vector<Override>> next;
    for (const auto& point : points) {
      for (const auto& value : axis.values) {
        next.push_back(point);
        next.back().push_back(
            {axis.key, value, fmt::format("{}: with {} = {}", axis.where, axis.key, value)});
      }
    }
    points = std::move(next);
  }
  return points;
}

}  // namespace artel::scenario
