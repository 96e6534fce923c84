#include "artel/config/table_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/schema.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_bytes.hpp"
#include "artel/core/require.hpp"

namespace artel::config {
namespace {

using Kind = TomlValue::Kind;

// What stands for a value that is not in the file.
const TomlValue& nothing() {
  static const TomlValue none;
  return none;
}

bool goes_with(const SchemaKey& key, std::string_view kind) {
  if (key.goes_with.empty()) return true;
  const auto kinds = split_words(key.goes_with);
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool in_range(const SchemaKey& key, double number) {
  if (!std::isfinite(number)) return false;
  if (key.low == key.high) return true;
  return number <= key.high && (key.above ? number > key.low : number >= key.low);
}

// How a quantity is written.
std::string_view example(KeyType type) {
  switch (type) {
    case KeyType::duration:
    case KeyType::durations:
      return " (\"250ms\", or a number of seconds)";
    case KeyType::flops:
      return " (\"10Gf\", or a number of flop/s)";
    case KeyType::bandwidth:
      return " (\"125MBps\", \"1Gbps\", or a number of bytes per second)";
    case KeyType::bytes:
      return " (\"16GiB\", or a number of bytes)";
    default:
      return {};
  }
}

bool is_number(const TomlValue& value) {
  return value.kind == Kind::integer || value.kind == Kind::number;
}

// The number that a value stands for, in the unit of the key's range; NaN if it is none.
double amount_of(KeyType type, const TomlValue& value) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (is_number(value)) return value.number;
  if (value.kind != Kind::text) return kNone;
  switch (type) {
    case KeyType::duration:
    case KeyType::durations: {
      const auto duration = parse_duration(value.text);
      if (!duration) return kNone;
      return *duration == kForever ? std::numeric_limits<double>::infinity()
                                   : to_seconds(*duration);
    }
    case KeyType::flops:
      return parse_flops(value.text).value_or(kNone);
    case KeyType::bandwidth:
      return parse_bandwidth(value.text).value_or(kNone);
    case KeyType::bytes:
      return parse_bytes(value.text).value_or(kNone);
    default:
      return kNone;
  }
}

// What a getter returns after it has reported a mistake.
double harmless(const SchemaKey& key) { return key.above ? key.high : std::max(key.low, 1.0); }

bool is_unbounded(const TomlValue& value) {
  return (value.kind == Kind::text && value.text == "inf") ||
         (value.kind == Kind::number && std::isinf(value.number) && value.number > 0);
}

}  // namespace

std::optional<double> seconds_from(const TomlValue& value) {
  if (is_number(value)) return value.number;
  if (value.kind != Kind::text) return std::nullopt;
  const auto duration = parse_duration(value.text);
  if (!duration || *duration == kForever) return std::nullopt;
  return to_seconds(*duration);
}

TableReader::TableReader(const Schema& schema, const TomlValue& value, std::string_view path,
                         Problems& problems, const Options& options)
    : schema_(schema),
      table_(value.kind == Kind::table ? value : nothing()),
      path_(path),
      also_table_(options.also_table),
      shown_(options.shown),
      problems_(problems) {
  if (value.kind == Kind::table) {
    check_keys(options);
  } else {
    problems_.add(value.place,
                  fmt::format("{}: found {}, allowed: a table", shown_path(), value.describe()));
  }
}

std::optional<std::string> TableReader::kind_of(const Schema& schema, const TomlValue& table,
                                                std::string_view path, std::string_view key,
                                                Problems& problems, std::string_view shown) {
  const auto* row = schema.find(path, key);
  ARTEL_REQUIRE(row != nullptr, "no such key in the schema", path, key);
  if (!shown.empty()) path = shown;
  const auto words = split_words(row->words);
  const auto* value = table.find(key);
  if (table.kind != Kind::table) {
    problems.add(table.place, fmt::format("{}: found {}, allowed: a table {{ {} = …, … }}", path,
                                          table.describe(), key));
  } else if (value == nullptr) {
    problems.add(table.place, fmt::format("{}.{} is missing; expected {} ({})", path, key,
                                          allowed_text(*row), row->meaning));
  } else if (value->kind != Kind::text) {
    problems.add(value->place, fmt::format("{}.{}: found {}, allowed: {}", path, key,
                                           value->describe(), allowed_text(*row)));
  } else if (std::find(words.begin(), words.end(), value->text) == words.end()) {
    problems.add(value->place, fmt::format("{}: {}", path, unknown_name(key, value->text, words)),
                 ErrorCode::not_found);
  } else {
    return value->text;
  }
  return std::nullopt;
}

void TableReader::check_keys(const Options& options) {
  std::vector<std::string_view> allowed(options.also.begin(), options.also.end());
  std::vector<std::string_view> missing;
  for (const auto& row : schema_.keys()) {
    if (row.table != path_ && (also_table_.empty() || row.table != also_table_)) continue;
    if (!goes_with(row, options.kind)) continue;
    if (std::find(allowed.begin(), allowed.end(), row.key) != allowed.end()) continue;
    allowed.push_back(row.key);
    if (row.fallback == kRequired && !has(row.key)) missing.push_back(row.key);
  }
  const std::string path = path_.empty() ? "" : fmt::format("{}: ", shown_path());
  const std::string kind = options.kind.empty() ? "key" : fmt::format("key of {}", options.kind);
  for (const auto& entry : table_.entries) {
    if (std::find(allowed.begin(), allowed.end(), entry.key) != allowed.end()) continue;
    problems_.add(entry.place, path + unknown_name(kind, entry.key, allowed), ErrorCode::not_found);
    if (const auto meant = nearest_name(entry.key, allowed)) misspelt_.emplace_back(*meant);
  }
  for (const auto key : missing) {
    const auto* row = schema_.find(path_, key);
    if (row == nullptr) row = schema_.find(also_table_, key);
    refuse_missing(key, fmt::format("{} ({})", allowed_text(*row), row->meaning));
  }
}

std::string_view TableReader::shown_path() const {
  const std::string_view path = shown_.empty() ? path_ : shown_;
  return path.ends_with("[]") ? path.substr(0, path.size() - 2) : path;
}

std::string TableReader::full_name(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", shown_path(), key);
}

void TableReader::refuse_missing(std::string_view key, const std::string& expected) const {
  if (&table_ == &nothing()) return;
  if (std::find(misspelt_.begin(), misspelt_.end(), key) != misspelt_.end()) return;
  problems_.add(table_.place, fmt::format("{} is missing; expected {}", full_name(key), expected));
}

const TomlValue& TableReader::raw(std::string_view key) const {
  const auto* value = table_.find(key);
  ARTEL_REQUIRE(value != nullptr, "no such key in the file", key);
  return *value;
}

const SourcePosition& TableReader::place(std::string_view key) const {
  const auto* value = table_.find(key);
  return value == nullptr ? table_.place : value->place;
}

TableReader::Wanted TableReader::want(std::string_view key) const {
  const auto* row = schema_.find(path_, key);
  if (row == nullptr && !also_table_.empty()) row = schema_.find(also_table_, key);
  ARTEL_REQUIRE(row != nullptr, "no such key in the schema", path_, key);
  const auto* value = table_.find(key);
  if (value == nullptr) value = schema_.fallback(*row);
  return {*row, value == nullptr ? nothing() : *value};
}

void TableReader::refuse(std::string_view key, const std::string& what) const {
  problems_.add(place(key), fmt::format("{}: {}", full_name(key), what));
}

void TableReader::refuse(const Wanted& wanted, const TomlValue& found) const {
  if (&wanted.value == &nothing()) return;  // its absence is reported already
  const auto allowed = allowed_text(wanted.schema, amount_of(wanted.schema.type, found));
  problems_.add(found.place,
                fmt::format("{}: found {}, allowed: {}{}", full_name(wanted.schema.key),
                            found.describe(), allowed, example(wanted.schema.type)));
}

std::string TableReader::text(std::string_view key) const {
  const auto wanted = want(key);
  if (wanted.value.kind == Kind::text && !wanted.value.text.empty()) return wanted.value.text;
  refuse(wanted, wanted.value);
  return {};
}

std::string TableReader::word(std::string_view key) const {
  const auto wanted = want(key);
  const auto words = split_words(wanted.schema.words);
  if (wanted.value.kind != Kind::text) {
    refuse(wanted, wanted.value);
  } else if (std::find(words.begin(), words.end(), wanted.value.text) == words.end()) {
    problems_.add(wanted.value.place,
                  fmt::format("{}: {}", path_, unknown_name(key, wanted.value.text, words)),
                  ErrorCode::not_found);
  } else {
    return wanted.value.text;
  }
  return {};
}

bool TableReader::flag(std::string_view key) const {
  const auto wanted = want(key);
  if (wanted.value.kind != Kind::boolean) refuse(wanted, wanted.value);
  return wanted.value.boolean;
}

std::uint64_t TableReader::count(std::string_view key) const {
  const auto wanted = want(key);
  const double number = wanted.value.number;  // 1e6 counts as whole
  if (is_number(wanted.value) && in_range(wanted.schema, number) && number == std::floor(number)) {
    return static_cast<std::uint64_t>(number);
  }
  refuse(wanted, wanted.value);
  return static_cast<std::uint64_t>(harmless(wanted.schema));
}

double TableReader::number_of(const Wanted& wanted, const TomlValue& value) const {
  if (is_number(value) && in_range(wanted.schema, value.number)) return value.number;
  refuse(wanted, value);
  return harmless(wanted.schema);
}

double TableReader::seconds_of(const Wanted& wanted, const TomlValue& value) const {
  const auto seconds = seconds_from(value);
  if (seconds && in_range(wanted.schema, *seconds)) return *seconds;
  refuse(wanted, value);
  return harmless(wanted.schema);
}

std::uint32_t TableReader::bound_of(const Wanted& wanted, const TomlValue& value) const {
  if (is_unbounded(value)) return std::numeric_limits<std::uint32_t>::max();
  if (is_number(value) && in_range(wanted.schema, value.number) &&
      value.number == std::floor(value.number)) {
    return static_cast<std::uint32_t>(value.number);
  }
  refuse(wanted, value);
  return std::numeric_limits<std::uint32_t>::max();
}

double TableReader::number(std::string_view key) const {
  const auto wanted = want(key);
  return number_of(wanted, wanted.value);
}

double TableReader::seconds(std::string_view key) const {
  const auto wanted = want(key);
  return seconds_of(wanted, wanted.value);
}

Duration TableReader::duration(std::string_view key) const { return from_seconds(seconds(key)); }

double TableReader::quantity(std::string_view key) const {
  const auto wanted = want(key);
  const double number = amount_of(wanted.schema.type, wanted.value);
  if (in_range(wanted.schema, number)) return number;
  refuse(wanted, wanted.value);
  return harmless(wanted.schema);
}

double TableReader::flops(std::string_view key) const { return quantity(key); }
double TableReader::bandwidth(std::string_view key) const { return quantity(key); }
double TableReader::bytes(std::string_view key) const { return quantity(key); }

std::uint32_t TableReader::bound(std::string_view key) const {
  const auto wanted = want(key);
  return bound_of(wanted, wanted.value);
}

template <class T, class Convert>
std::vector<T> TableReader::one_or_list(std::string_view key, const Each& each,
                                        Convert convert) const {
  const auto wanted = want(key);
  if (wanted.value.kind != Kind::list) {
    return std::vector<T>(each.size, convert(wanted, wanted.value));
  }
  std::vector<T> converted;
  converted.reserve(wanted.value.items.size());
  for (const auto& item : wanted.value.items) converted.push_back(convert(wanted, item));
  if (converted.size() != each.size) {
    refuse(key, fmt::format("found a list of {}, allowed: one per {}, {}", converted.size(),
                            each.of, each.size));
    converted.resize(each.size, T{1});
  }
  return converted;
}

std::vector<double> TableReader::numbers(std::string_view key, const Each& each) const {
  return one_or_list<double>(key, each, [this](const Wanted& wanted, const TomlValue& value) {
    return number_of(wanted, value);
  });
}

std::vector<std::uint32_t> TableReader::bounds(std::string_view key, const Each& each) const {
  return one_or_list<std::uint32_t>(
      key, each,
      [this](const Wanted& wanted, const TomlValue& value) { return bound_of(wanted, value); });
}

std::vector<double> TableReader::seconds_list(std::string_view key) const {
  std::vector<double> seconds;
  for (const auto& item : items(key)) seconds.push_back(seconds_of(want(key), item));
  return seconds;
}

std::vector<TableReader::Text> TableReader::texts(std::string_view key) const {
  std::vector<Text> texts;
  for (const auto& item : items(key)) {
    if (item.kind == Kind::text && !item.text.empty()) {
      texts.push_back({item.text, item.place});
    } else {
      refuse(want(key), item);
    }
  }
  return texts;
}

std::span<const TomlValue> TableReader::items(std::string_view key) const {
  const auto wanted = want(key);
  if (wanted.value.kind == Kind::list) {
    if (wanted.value.items.empty()) refuse(key, "found an empty list, allowed: at least one item");
    return wanted.value.items;
  }
  refuse(wanted, wanted.value);
  return {};
}

const TomlValue& TableReader::table(std::string_view key) const {
  const auto* value = table_.find(key);
  return value == nullptr ? nothing() : *value;
}

}  // namespace artel::config
