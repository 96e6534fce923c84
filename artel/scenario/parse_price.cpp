#include "artel/scenario/parse_price.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "artel/config/schema.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario {
namespace {

constexpr double kHour = 3600;  // s

std::optional<double> read(std::string_view text) {
  const auto slash = text.find('/');
  const auto amount = parse_number<double>(text.substr(0, slash));
  if (!amount || !std::isfinite(*amount) || *amount < 0) return std::nullopt;
  if (slash == std::string_view::npos) return amount;
  const auto per = text.substr(slash + 1);
  if (per.find_first_of("0123456789.") != std::string_view::npos) return std::nullopt;  // "10h"
  const auto unit = parse_duration("1" + std::string(per));
  if (!unit) return std::nullopt;
  return *amount * (kHour / to_seconds(*unit));
}

}  // namespace

Result<double> parse_price(std::string_view text) {
  const auto price = read(text);
  if (price) return *price;
  return fail(ErrorCode::parse,
              fmt::format("found '{}', allowed: {}", text,
                          config::allowed_text(*scenario_schema().find("plan", "price"))));
}

}  // namespace artel::scenario
