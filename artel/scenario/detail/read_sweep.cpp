#include <fmt/core.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/sweep_axis.hpp"

namespace artel::scenario::detail {
namespace {

using Kind = config::TomlValue::Kind;

std::optional<std::string> value_text(const config::TomlValue& value) {
  switch (value.kind) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::number:
      return value.describe();
    case Kind::text:
      return value.text;
    default:
      return std::nullopt;
  }
}

/// Turns the table into axes; `pool.workers = …` without quotes is a table in a table.
class SweepReader {
 public:
  SweepReader(std::string_view file_name, config::Problems& problems)
      : file_name_(file_name), problems_(problems) {}

  void read(const config::TomlValue& table, const std::string& prefix) {
    for (const auto& entry : table.entries) {
      const auto key = prefix + entry.key;
      if (entry.value.kind == Kind::table) {
        read(entry.value, key + ".");
      } else {
        read_axis(key, entry.value);
      }
    }
  }

  std::vector<SweepAxis> axes;

 private:
  void read_axis(const std::string& key, const config::TomlValue& value) {
    SweepAxis axis{key, {}, value.place.where(file_name_)};
    if (value.kind == Kind::text) {
      auto values = parse_sweep_values(value.text);
      if (!values) return refuse(key, value.place, values.error().what);
      axis.values = std::move(*values);
    } else if (value.kind == Kind::list && !value.items.empty()) {
      for (const auto& item : value.items) {
        auto text = value_text(item);
        if (!text) return refuse_kind(key, item);
        axis.values.push_back(std::move(*text));
      }
    } else {
      return refuse_kind(key, value);
    }
    axes.push_back(std::move(axis));
  }

  void refuse_kind(const std::string& key, const config::TomlValue& value) {
    refuse(key, value.place,
           fmt::format("found {}, allowed: \"16..48:4\", or a list of numbers or texts",
                       value.describe()));
  }
  void refuse(const std::string& key, const config::SourcePosition& place,
              const std::string& what) {
    problems_.add(place, fmt::format("sweep of {}: {}", key, what));
  }

  std::string_view file_name_;
  config::Problems& problems_;
};

}  // namespace

std::vector<SweepAxis> read_sweep(const config::TomlValue& table, std::string_view file_name,
                                  config::Problems& problems) {
  SweepReader reader(file_name, problems);
  if (table.kind == Kind::table) {
    reader.read(table, "");
  } else {
    problems.add(table.place, fmt::format("sweep: found {}, allowed: a table", table.describe()));
  }
  return std::move(reader.axes);
}

}  // namespace artel::scenario::detail
