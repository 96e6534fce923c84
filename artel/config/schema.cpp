#include "artel/config/schema.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/toml_value.hpp"
#include "artel/core/join.hpp"
#include "artel/core/require.hpp"

namespace artel::config {
namespace {

std::string number_text(double number) {
  return number == std::floor(number) && std::abs(number) < 1e15
             ? fmt::format("{}", static_cast<std::int64_t>(number))
             : fmt::format("{}", number);
}

std::string range_text(const SchemaKey& key, double found) {
  if (key.low == key.high) return {};
  constexpr double kNoLimit = 1e9;  // there is one, but few need to hear of it
  if (key.high >= kNoLimit && !(found > key.high)) {
    return fmt::format(" {} {}", key.above ? "above" : "of at least", number_text(key.low));
  }
  if (key.above)
    return fmt::format(" above {} up to {}", number_text(key.low), number_text(key.high));
  return fmt::format(" from {} to {}", number_text(key.low), number_text(key.high));
}

}  // namespace

Schema::Schema(std::span<const SchemaKey> keys) : keys_(keys), fallbacks_(keys.size(), nullptr) {
  parsed_.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const SchemaKey& key = keys[i];
    if (key.fallback.empty() || key.fallback == kRequired) continue;
    const auto toml = parse_toml(fmt::format("value = {}", key.fallback), "schema");
    ARTEL_REQUIRE(toml, "the schema's default must be TOML", key.table, key.key, key.fallback);
    parsed_.push_back(*toml->find("value"));
    fallbacks_[i] = &parsed_.back();
  }
}

const SchemaKey* Schema::find(std::string_view table, std::string_view key) const {
  const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const SchemaKey& row) {
    return row.table == table && row.key == key;
  });
  return found == keys_.end() ? nullptr : &*found;
}

const TomlValue* Schema::fallback(const SchemaKey& key) const {
  return fallbacks_[static_cast<std::size_t>(&key - keys_.data())];
}

std::vector<std::string_view> split_words(std::string_view words) {
  std::vector<std::string_view> parts;
  while (!words.empty()) {
    const auto end = std::min(words.find('|'), words.size());
    parts.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return parts;
}

std::string allowed_text(const SchemaKey& key, double found) {
  using enum KeyType;
  switch (key.type) {
    case text:
      return "text in quotes";
    case word:
      return join(split_words(key.words), ", ");
    case flag:
      return "true or false";
    case count:
      return "a whole number" + range_text(key, found);
    case number:
      return "a number" + range_text(key, found);
    case duration:
      return "a duration" + range_text(key, found);
    case flops:
      return "a speed" + range_text(key, found);
    case bandwidth:
      return "a bandwidth" + range_text(key, found);
    case bytes:
      return "a size" + range_text(key, found);
    case bound:
      return fmt::format("a whole number{}, or \"inf\"", range_text(key, found));
    case numbers:
      return fmt::format("a number{}, or a list of them", range_text(key, found));
    case bounds:
      return fmt::format("a whole number{}, \"inf\", or a list of them", range_text(key, found));
    case durations:
      return "a list of durations" + range_text(key, found);
    case texts:
      return "a list of texts in quotes";
    case special:
      return std::string(key.words);
    case list:
      return "a list [ … ]";
    case table:
      return "a table { … }";
  }
  return {};
}

}  // namespace artel::config
