#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/log_format.hpp"

namespace artel::logs::detail {

/// Lines of fields with one character between, or blanks, as LogFormat::layout says. Fields in
/// double quotes may hold the character (a quote in them is doubled).
class SeparatedLine {
 public:
  /// `layout` must outlive the object.
  explicit SeparatedLine(std::string_view layout);

  /// Whether the first line names the columns.
  [[nodiscard]] bool needs_header() const { return needs_header_; }
  /// The names of the columns.
  void read_header(std::string_view line);
  /// Finds the columns of the fields. Errors: not_found, with the nearest name.
  [[nodiscard]] Result<void> choose(std::span<const LogField> fields);

  /// Fills `values`, one per field; false when the line has too few fields, or a quote is open.
  [[nodiscard]] bool match(std::string_view line, std::span<std::string_view> values,
                           std::size_t& stopped);

 private:
  [[nodiscard]] bool cut(std::string_view line, std::size_t& stopped);

  char separator_;
  bool needs_header_ = true;
  std::vector<std::string> names_;
  std::vector<std::size_t> columns_;  // of the fields
  std::size_t wanted_ = 0;            // fields that matter, from the left
  std::vector<std::string_view> cells_;
  std::deque<std::string> unquoted_;  // of those with quotes; cells_ points into them
};

}  // namespace artel::logs::detail
