#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace artel::report {

/// A table for the terminal: columns as wide as their widest cell, numbers to the right, text to
/// the left. Threads: one at a time. Cost: text() O(its characters).
class Table {
 public:
  /// To which side a column's cells go: left, right.
  enum class Align : unsigned char { left, right };

  /// Requires: before the first row.
  void add_column(std::string title, Align align = Align::right);
  /// Requires: one cell per column.
  void add_row(std::vector<std::string> cells);
  /// All of it, a line per row, the titles first.
  [[nodiscard]] std::string text() const;

 private:
  struct Column {
    std::string title;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that the text takes on a terminal: code points of UTF-8, each counted as one.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace artel::report
