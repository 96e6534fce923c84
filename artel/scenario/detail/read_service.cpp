#include "artel/scenario/detail/read_service.hpp"

#include <fmt/core.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/detail/seconds_max.hpp"
#include "artel/scenario/expression.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario::detail {
namespace {

using random::Distribution;

constexpr std::string_view kPath = "workload.service";
constexpr std::string_view kPartPath = "workload.service.parts[]";

// Where a distribution stands.
struct LawPlace {
  std::string_view shown;  // what messages call it
  std::string_view
      part_path;  // the schema's table of the keys that parts of a mixture have besides
};

std::optional<Distribution> read_distribution(const config::TomlValue& table, const LawPlace& place,
                                              config::Problems& problems);

Result<Distribution> read_mixture(const config::TableReader& reader, std::string_view shown,
                                  config::Problems& problems) {
  std::vector<Distribution::Part> parts;
  for (const auto& item : reader.items("parts")) {
    if (auto part = read_distribution(item, {shown, kPartPath}, problems)) {
      parts.emplace_back(item.find("probability")->number, std::move(*part));
    }
  }
  return Distribution::mixture(std::move(parts));
}

Result<Distribution> make(std::string_view name, const config::TableReader& reader,
                          std::string_view shown, config::Problems& problems) {
  if (name == "constant") return Distribution::constant(reader.seconds("value"));
  if (name == "uniform") {
    return Distribution::uniform({.low = reader.seconds("low"), .high = reader.seconds("high")});
  }
  if (name == "exponential") return Distribution::exponential(reader.seconds("mean"));
  if (name == "erlang") {
    return Distribution::erlang(
        {.phases = static_cast<unsigned>(reader.count("phases")), .mean = reader.seconds("mean")});
  }
  if (name == "hyperexponential") {
    return Distribution::hyperexponential(
        {.mean = reader.seconds("mean"), .scv = reader.number("scv")});
  }
  if (name == "lognormal") {
    return Distribution::lognormal(
        Distribution::MeanScv{.mean = reader.seconds("mean"), .scv = reader.number("scv")});
  }
  if (name == "weibull") {
    return Distribution::weibull(
        {.shape = reader.number("shape"), .scale = reader.seconds("scale")});
  }
  if (name == "bounded_pareto") {
    return Distribution::bounded_pareto({.alpha = reader.number("alpha"),
                                         .low = reader.seconds("low"),
                                         .high = reader.seconds("high")});
  }
  if (name == "gamma") {
    return Distribution::gamma({.shape = reader.number("shape"), .scale = reader.seconds("scale")});
  }
  if (name == "empirical") return Distribution::empirical(reader.seconds_list("values"));
  ARTEL_REQUIRE(name == "mixture", "the schema names an unknown distribution", name);
  return read_mixture(reader, shown, problems);
}

// Nothing after a mistake.
std::optional<Distribution> read_distribution(const config::TomlValue& table, const LawPlace& place,
                                              config::Problems& problems) {
  const auto before = problems.size();
  const auto name = config::TableReader::kind_of(scenario_schema(), table, kPath, "distribution",
                                                 problems, place.shown);
  if (!name) return std::nullopt;
  const config::TableReader reader(
      scenario_schema(), table, kPath, problems,
      {.kind = *name, .also_table = place.part_path, .shown = place.shown});
  if (!place.part_path.empty() && reader.has("probability")) {
    static_cast<void>(reader.number("probability"));  // checks it
  }
  auto made = make(*name, reader, place.shown, problems);
  if (problems.size() > before) return std::nullopt;
  if (made && made->mean() > kSecondsMax) {
    reader.refuse("distribution",
                  fmt::format("the mean is {} s, allowed: up to {} s", made->mean(), kSecondsMax));
    return std::nullopt;
  }
  if (made) return std::move(*made);
  const auto& error = made.error();  // `where` names the parameter
  const auto* parameter = scenario_schema().find(kPath, error.where);
  reader.refuse(parameter == nullptr ? "distribution" : parameter->key, error.what);
  return std::nullopt;
}

}  // namespace

std::optional<ServiceSpec> read_service(const config::TomlValue& table, config::Problems& problems,
                                        std::string_view shown) {
  ServiceSpec spec;
  if (table.find("expression") == nullptr) {
    spec.distribution = read_distribution(table, {shown, {}}, problems);
    if (!spec.distribution) return std::nullopt;
    return spec;
  }
  const config::TableReader reader(scenario_schema(), table, kPath, problems,
                                   {.kind = "expression", .shown = shown});
  spec.expression = reader.text("expression");
  const auto compiled = Expression::compile(*spec.expression);
  if (reader.has("distribution")) {
    reader.refuse("distribution", "does not go with expression; give one of them");
  } else if (!compiled) {
    if (!spec.expression->empty()) reader.refuse("expression", compiled.error().what);
  } else {
    return spec;
  }
  return std::nullopt;
}

std::optional<Distribution> read_law(const config::TableReader& reader, std::string_view key,
                                     std::string_view shown, config::Problems& problems) {
  const auto& value = reader.raw(key);
  if (value.kind == config::TomlValue::Kind::table)
    return read_distribution(value, {shown, {}}, problems);
  const auto seconds = config::seconds_from(value);
  if (seconds && *seconds >= 0 && *seconds <= kSecondsMax) return *Distribution::constant(*seconds);
  const bool beyond = seconds && *seconds > kSecondsMax;
  reader.refuse(key, fmt::format("found {}, allowed: a duration of at least 0{} (\"250ms\", or a "
                                 "number of seconds), or a table {{ distribution = …, … }}",
                                 value.describe(), beyond ? " up to 1000000000" : ""));
  return std::nullopt;
}

}  // namespace artel::scenario::detail
