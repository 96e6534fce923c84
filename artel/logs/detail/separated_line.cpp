#include "artel/logs/detail/separated_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/logs/log_format.hpp"

namespace artel::logs::detail {

SeparatedLine::SeparatedLine(std::string_view layout)
    : separator_(layout.front()), wanted_(SIZE_MAX) {
  auto names = layout.substr(1);
  needs_header_ = names.empty();
  while (!names.empty()) {
    const auto end = std::min(names.find(' '), names.size());
    if (end > 0) names_.emplace_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

void SeparatedLine::read_header(std::string_view line) {
  std::size_t stopped = 0;
  names_.clear();
  if (!cut(line, stopped)) return;
  for (const auto cell : cells_) names_.emplace_back(file::trimmed(cell));
}

Result<void> SeparatedLine::choose(std::span<const LogField> fields) {
  columns_.clear();
  wanted_ = 0;
  for (const auto& field : fields) {
    const auto found = std::ranges::find(names_, field.name);
    if (found == names_.end()) {
      const std::vector<std::string_view> allowed(names_.begin(), names_.end());
      return fail(ErrorCode::not_found, unknown_name("column", field.name, allowed));
    }
    columns_.push_back(static_cast<std::size_t>(found - names_.begin()));
    wanted_ = std::max(wanted_, columns_.back() + 1);
  }
  return {};
}

bool SeparatedLine::cut(std::string_view line, std::size_t& stopped) {
  cells_.clear();
  unquoted_.clear();
  const bool blanks = separator_ == ' ';
  for (std::size_t at = 0; cells_.size() < wanted_;) {
    stopped = at;
    if (blanks) {
      at = line.find_first_not_of(" \t", at);
      if (at == std::string_view::npos) return true;
    }
    if (!blanks && at < line.size() && line[at] == '"') {
      std::string text;
      auto close = ++at;
      for (;; close += 2) {
        const auto from = close;
        close = line.find('"', from);
        if (close == std::string_view::npos) return false;
        text.append(line.substr(from, close - from));
        if (close + 1 >= line.size() || line[close + 1] != '"') break;
        text += '"';
      }
      unquoted_.push_back(std::move(text));
      cells_.emplace_back(unquoted_.back());
      at = close + 1;
      if (at < line.size() && line[at] != separator_) return false;
      if (at >= line.size()) return true;
      ++at;
      continue;
    }
    const auto end = blanks ? line.find_first_of(" \t", at) : line.find(separator_, at);
    cells_.push_back(line.substr(at, end - at));
    if (end == std::string_view::npos) return true;
    at = end + 1;
  }
  return true;
}

bool SeparatedLine::match(std::string_view line, std::span<std::string_view> values,
                          std::size_t& stopped) {
  if (!cut(line, stopped) || cells_.size() < wanted_) return false;
  for (std::size_t i = 0; i < columns_.size(); ++i) values[i] = cells_[columns_[i]];
  return true;
}

}  // namespace artel::logs::detail
