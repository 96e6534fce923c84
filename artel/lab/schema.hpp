#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace artel::lab {

/// What a key of a scenario may hold.
enum class KeyType : std::uint8_t {
  text,
  word,       ///< one of `words`
  flag,       ///< true or false
  count,      ///< a whole number
  number,     ///< finite
  duration,   ///< "50ms", or a number of seconds
  bound,      ///< a whole number, or "inf"
  numbers,    ///< one number for all, or a list
  bounds,     ///< one bound for all, or a list
  durations,  ///< a list
  warm_up,    ///< "auto", "20%" or a duration
  list,
  table,
};

/// One key of a scenario: the parser checks by it, and `artel simulate --schema` prints it.
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

inline constexpr std::string_view kRequired = "required";

/// All keys, table by table.
[[nodiscard]] std::span<const SchemaKey> schema();

/// The key of that table, or nullptr.
[[nodiscard]] const SchemaKey* find_key(std::string_view table, std::string_view key);

/// "a whole number from 1 to 100000"
[[nodiscard]] std::string allowed_text(const SchemaKey& key);

/// The parts of "a|b|c".
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view words);

/// The whole schema for people: keys, types, defaults, meaning, and the parameters of the policies.
[[nodiscard]] std::string schema_text();

}  // namespace artel::lab
