#include "artel/file/csv_header.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/file/csv_reader.hpp"

namespace artel::file {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

CsvHeader::CsvHeader(const CsvReader& csv) : where_(csv.where()) {
  for (std::size_t i = 0; i < csv.size(); ++i) names_.emplace_back(trimmed(csv[i]));
}

bool CsvHeader::has(std::string_view column) const {
  return std::find(names_.begin(), names_.end(), column) != names_.end();
}

Result<std::size_t> CsvHeader::find(std::string_view column) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] != column) continue;
    if (found) {
      return fail(ErrorCode::invalid, fmt::format("column '{}' is there twice", column), where_);
    }
    found = i;
  }
  if (found) return *found;
  const std::vector<std::string_view> allowed(names_.begin(), names_.end());
  return fail(ErrorCode::not_found, unknown_name("column", column, allowed), where_);
}

Result<void> CsvHeader::check_length(const CsvReader& csv) const {
  if (csv.size() == size()) return {};
  return fail(ErrorCode::parse,
              fmt::format("found {} fields; the header has {}", csv.size(), size()), csv.where());
}

}  // namespace artel::file
