#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::config {

/// Where a value was written: a position in the file, or the command-line argument that set it.
struct SourcePosition {
  std::uint32_t line = 0;  ///< from 1
  std::uint32_t column = 0;
  std::string argument;  ///< "--set pool.workers=0"; then there is no line

  /// "file:line:column", or the argument.
  [[nodiscard]] std::string where(std::string_view file_name) const;
};

struct TomlEntry;

/// One value of a TOML file and where it stands; a small tree without the parser's types.
struct TomlValue {
  /// What it is; `boolean`, `integer`, `number`, `text`, `items` or `entries` has it. A date is
  /// refused by whoever reads it: no field is for it.
  enum class Kind : std::uint8_t { boolean, integer, number, text, list, table, date };

  Kind kind = Kind::table;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;  ///< set for integers too
  std::string text;
  std::vector<TomlValue> items;    ///< of a list
  std::vector<TomlEntry> entries;  ///< of a table, ordered by key
  SourcePosition place;            ///< where it begins

  /// The value of a table's key, or nullptr.
  [[nodiscard]] const TomlValue* find(std::string_view key) const;
  [[nodiscard]] TomlValue* find(std::string_view key);

  /// For messages: "the number 3", "the text 'x'", "a list", shortened.
  [[nodiscard]] std::string describe() const;
};

/// A key of a table, and what it is.
struct TomlEntry {
  std::string key;
  SourcePosition place;  ///< of the key
  TomlValue value;
};

/// Reads TOML 1.0.
/// Errors: syntax, with file:line:column; values nested deeper than kTomlDepthMax.
[[nodiscard]] Result<TomlValue> parse_toml(std::string_view text, std::string_view file_name);

/// Levels of dotted keys between two commas or brackets, and levels of brackets.
inline constexpr std::size_t kTomlDepthMax = 32;

}  // namespace artel::config
