#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/toml_value.hpp"

namespace artel::config {

/// What a key of a file may hold.
enum class KeyType : std::uint8_t {
  text,       ///< any text
  word,       ///< one of `words`
  flag,       ///< true or false
  count,      ///< a whole number
  number,     ///< finite
  duration,   ///< "50ms", or a number of seconds
  flops,      ///< "10Gf", or a number of flop/s
  bandwidth,  ///< "125MBps", "1Gbps", or a number of bytes per second
  bytes,      ///< "16GiB", or a number of bytes
  bound,      ///< a whole number, or "inf"
  numbers,    ///< one number for all, or a list
  bounds,     ///< one bound for all, or a list
  durations,  ///< a list
  texts,      ///< a list
  special,    ///< whoever reads it knows; `words` says what is allowed
  list,       ///< of values that `special` readers know: tables, numbers
  table,      ///< a table with a schema of its own
};

/// One key of a file: the reader checks by it, and schema_text() prints it.
struct SchemaKey {
  std::string_view table;  ///< "pool", "workload.arrivals"; items of a list end in "[]"
  std::string_view key;    ///< "*": any key
  KeyType type;
  std::string_view fallback;  ///< TOML, or kRequired, or empty: what happens then is in `meaning`
  std::string_view meaning;
  double low = 0;   ///< least allowed; with `above` not itself
  double high = 0;  ///< greatest allowed; with low == high there is no range
  bool above = false;
  std::string_view words = {};  ///< "reject|block"
  std::string_view goes_with =
      {};  ///< kinds that the key belongs to, "poisson|constant"; empty: all
};

/// In the place of a default: the key must be there.
inline constexpr std::string_view kRequired = "required";

/// The keys that a kind of file may have, table by table, and their defaults.
class Schema {
 public:
  /// The keys outlive it. A default that is not TOML breaks the contract.
  explicit Schema(std::span<const SchemaKey> keys);

  [[nodiscard]] std::span<const SchemaKey> keys() const { return keys_; }
  /// The key of that table, or nullptr.
  [[nodiscard]] const SchemaKey* find(std::string_view table, std::string_view key) const;
  /// The default of one of keys(), or nullptr.
  [[nodiscard]] const TomlValue* fallback(const SchemaKey& key) const;

 private:
  std::span<const SchemaKey> keys_;
  std::vector<const TomlValue*> fallbacks_;  // by key; into parsed_
  std::vector<TomlValue> parsed_;
};

/// "a whole number from 1 to 100000". An upper end that hardly anybody comes to is left out, unless
/// the value `found` is beyond it.
[[nodiscard]] std::string allowed_text(const SchemaKey& key, double found = 0);

/// The parts of "a|b|c".
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view words);

}  // namespace artel::config
