#include <fmt/core.h>

#include <optional>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/parse_price.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario::detail {

std::optional<double> read_price(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "plan", problems);
  if (!reader.has("price")) return std::nullopt;
  using Kind = config::TomlValue::Kind;
  const auto& value = reader.raw("price");
  const bool number = value.kind == Kind::integer || value.kind == Kind::number;
  const auto price = number                     ? parse_price(fmt::format("{}", value.number))
                     : value.kind == Kind::text ? parse_price(value.text)
                                                : parse_price(value.describe());
  if (!price) reader.refuse("price", price.error().what);
  return price ? std::optional(*price) : std::nullopt;
}

}  // namespace artel::scenario::detail
