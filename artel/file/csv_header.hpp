#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/file/csv_reader.hpp"

namespace artel::file {

/// Without blanks and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The first line of a CSV file: names of columns.
class CsvHeader {
 public:
  CsvHeader() = default;
  /// From the current record.
  explicit CsvHeader(const CsvReader& csv);

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }
  /// Whether there is a column of that name.
  [[nodiscard]] bool has(std::string_view column) const;

  /// Errors: no such column (with the nearest name), or more than one.
  [[nodiscard]] Result<std::size_t> find(std::string_view column) const;

  /// Errors: the current record has another number of fields.
  [[nodiscard]] Result<void> check_length(const CsvReader& csv) const;

 private:
  std::string where_;
  std::vector<std::string> names_;
};

}  // namespace artel::file
