#include "artel/scenario/override.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::scenario {
namespace {

void put_place(config::TomlValue& value, const config::SourcePosition& place) {
  value.place = place;
  for (auto& item : value.items) put_place(item, place);
  for (auto& entry : value.entries) {
    entry.place = place;
    put_place(entry.value, place);
  }
}

config::TomlValue parse_value(const Override& override) {
  config::TomlValue value;
  auto parsed = config::parse_toml("value = " + override.value, override.where);
  if (parsed && parsed->entries.size() == 1 && parsed->entries.front().key == "value") {
    value = std::move(parsed->entries.front().value);
  } else {
    value.kind = config::TomlValue::Kind::text;
    value.text = override.value;
  }
  put_place(value, {0, 0, override.where});
  return value;
}

// The entry of that key, made if there is none.
config::TomlEntry& entry_of(config::TomlValue& table, std::string_view key,
                            const std::string& where) {
  const auto at = std::lower_bound(
      table.entries.begin(), table.entries.end(), key,
      [](const config::TomlEntry& entry, std::string_view name) { return entry.key < name; });
  if (at != table.entries.end() && at->key == key) return *at;
  const config::SourcePosition place{0, 0, where};
  config::TomlValue value;
  value.place = place;
  return *table.entries.insert(at, {std::string(key), place, std::move(value)});
}

Result<config::TomlValue*> item_of(config::TomlValue& list, std::string_view key,
                                   const Override& override, std::string_view path) {
  const auto index = parse_number<std::size_t>(key);
  if (!index || *index >= list.items.size()) {
    return fail(ErrorCode::invalid,
                fmt::format("'{}' is a list of {}; '{}' picks none of them, the first is 0", path,
                            list.items.size(), key),
                override.where);
  }
  return &list.items[*index];
}

}  // namespace

Result<Override> parse_override(std::string_view argument) {
  const auto equals = argument.find('=');
  const auto key = argument.substr(0, equals);
  if (equals == std::string_view::npos || key.empty() || key.front() == '.' || key.back() == '.' ||
      key.find("..") != std::string_view::npos) {
    return fail(ErrorCode::parse,
                fmt::format("found '{}'; expected key.path=value, like pool.workers=16", argument),
                fmt::format("--set {}", argument));
  }
  return Override{std::string(key), std::string(argument.substr(equals + 1)),
                  fmt::format("--set {}", argument)};
}

Result<bool> apply_override(config::TomlValue& root, const Override& override) {
  const std::string_view path = override.key;
  config::TomlValue* value = &root;
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find('.', begin), path.size());
    const auto key = path.substr(begin, end - begin);
    if (value->kind == config::TomlValue::Kind::list) {
      const auto item = item_of(*value, key, override, path.substr(0, begin - 1));
      if (!item) return fail(item);
      value = *item;
    } else if (value->kind == config::TomlValue::Kind::table) {
      auto& entry = entry_of(*value, key, override.where);
      if (end == path.size()) entry.place = {0, 0, override.where};
      value = &entry.value;
    } else {
      return fail(ErrorCode::invalid,
                  fmt::format("'{}' is {}, not a table that could have '{}'",
                              path.substr(0, begin - 1), value->describe(), key),
                  override.where);
    }
    begin = end + 1;
  }
  *value = parse_value(override);
  return true;
}

}  // namespace artel::scenario
