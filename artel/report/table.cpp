#include "artel/report/table.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::report {

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

void Table::add_column(std::string title, Align align) {
  columns_.push_back({std::move(title), align});
}

void Table::add_row(std::vector<std::string> cells) {
  ARTEL_REQUIRE(cells.size() == columns_.size(), "a row has one cell per column", cells.size(),
                columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    auto width = display_width(columns_[c].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  std::string text;
  const auto write_line = [&](auto cell_of) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string& cell = cell_of(c);
      const std::string pad(widths[c] - display_width(cell), ' ');
      if (c > 0) line += "  ";
      line += columns_[c].align == Align::left ? cell + pad : pad + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  write_line([&](std::size_t c) -> const std::string& { return columns_[c].title; });
  for (const auto& row : rows_)
    write_line([&](std::size_t c) -> const std::string& { return row[c]; });
  return text;
}

}  // namespace artel::report
