#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/schema.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"

namespace artel::config {

/// Reads one table of a file by its schema.
///
/// The constructor reports keys that the schema does not know and required ones that are missing.
/// The getters report what is not allowed and then return something harmless, so that reading can
/// go on to find more; a key that is not given yields its default. Asking for a key that the schema
/// does not have breaks the contract.
class TableReader {
 public:
  /// What to make of a table.
  struct Options {
    std::string_view kind = {};                   ///< only keys that go with it are allowed
    std::span<const std::string_view> also = {};  ///< keys that the caller checks itself
    std::string_view also_table = {};             ///< whose keys are allowed as well
    std::string_view shown = {};                  ///< what messages call the table; its path
  };

  /// `path` is the table's name in the schema. A `value` that is not a table is reported and read
  /// as an empty one.
  TableReader(const Schema& schema, const TomlValue& value, std::string_view path,
              Problems& problems, const Options& options);
  TableReader(const Schema& schema, const TomlValue& value, std::string_view path,
              Problems& problems)
      : TableReader(schema, value, path, problems, Options{}) {}

  /// The word that decides which other keys a table may have (`kind = "poisson"`); nothing, and a
  /// report, when it is missing or unknown.
  [[nodiscard]] static std::optional<std::string> kind_of(const Schema& schema,
                                                          const TomlValue& table,
                                                          std::string_view path,
                                                          std::string_view key, Problems& problems,
                                                          std::string_view shown = {});

  /// Whether the key is given.
  [[nodiscard]] bool has(std::string_view key) const { return table_.find(key) != nullptr; }
  /// The raw value of a key that is there.
  [[nodiscard]] const TomlValue& raw(std::string_view key) const;
  /// The place of a key's value, or of the table when the key is not there.
  [[nodiscard]] const SourcePosition& place(std::string_view key) const;

  /// What the key holds, by the KeyType of the same name: text(), word(), flag(), count(),
  /// number(); seconds() in seconds and duration() in ns of a KeyType::duration.
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string word(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
  [[nodiscard]] std::uint64_t count(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] double seconds(std::string_view key) const;
  [[nodiscard]] Duration duration(std::string_view key) const;
  /// In flop/s, bytes per second, bytes.
  [[nodiscard]] double flops(std::string_view key) const;
  [[nodiscard]] double bandwidth(std::string_view key) const;
  [[nodiscard]] double bytes(std::string_view key) const;
  /// "inf" is the greatest number.
  [[nodiscard]] std::uint32_t bound(std::string_view key) const;
  struct Each {
    std::size_t size = 0;
    std::string_view of;  ///< "worker"
  };
  /// One for each: the list, which must have that many, or one number repeated.
  [[nodiscard]] std::vector<double> numbers(std::string_view key, const Each& each) const;
  [[nodiscard]] std::vector<std::uint32_t> bounds(std::string_view key, const Each& each) const;
  /// A list of durations, in seconds; not empty.
  [[nodiscard]] std::vector<double> seconds_list(std::string_view key) const;
  /// One text of a list and where it stands.
  struct Text {
    std::string text;             ///< as written
    const SourcePosition& place;  ///< of `text`
  };
  /// A list of texts; not empty unless a mistake was reported.
  [[nodiscard]] std::vector<Text> texts(std::string_view key) const;
  /// The items of a list; not empty unless a mistake was reported.
  [[nodiscard]] std::span<const TomlValue> items(std::string_view key) const;
  /// The table of that key, or an empty one.
  [[nodiscard]] const TomlValue& table(std::string_view key) const;

  /// Reports that a key is missing, and what is expected; not when it was misspelt, or when there
  /// is no table at all: that is reported already.
  void refuse_missing(std::string_view key, const std::string& expected) const;
  /// Reports that a key's value (or the table, if it is not there) is wrong.
  void refuse(std::string_view key, const std::string& what) const;

 private:
  struct Wanted {
    const SchemaKey& schema;
    const TomlValue& value;
  };
  [[nodiscard]] Wanted want(std::string_view key) const;
  void check_keys(const Options& options);
  void refuse(const Wanted& wanted, const TomlValue& found) const;
  [[nodiscard]] std::string full_name(std::string_view key) const;
  [[nodiscard]] std::string_view shown_path() const;

  [[nodiscard]] double number_of(const Wanted& wanted, const TomlValue& value) const;
  [[nodiscard]] double seconds_of(const Wanted& wanted, const TomlValue& value) const;
  [[nodiscard]] double quantity(std::string_view key) const;
  [[nodiscard]] std::uint32_t bound_of(const Wanted& wanted, const TomlValue& value) const;
  template <class T, class Convert>
  std::vector<T> one_or_list(std::string_view key, const Each& each, Convert convert) const;

  const Schema& schema_;
  const TomlValue& table_;
  std::string path_;
  std::string also_table_;
  std::string shown_;
  std::vector<std::string> misspelt_;  // what unknown keys were meant to be
  Problems& problems_;
};

/// A number of seconds from "50ms" or a number; nothing if it is neither.
[[nodiscard]] std::optional<double> seconds_from(const TomlValue& value);

}  // namespace artel::config
