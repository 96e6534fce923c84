#include "tests/verify/for_each_row.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/file/csv_reader.hpp"

namespace artel::verify {

Result<void> for_each_row(const std::filesystem::path& file, std::string_view what,
                          std::size_t columns,
                          const std::function<Result<void>(const file::CsvReader& csv)>& row) {
  std::ifstream in(file);
  if (!in) return fail(ErrorCode::not_found, fmt::format("cannot open {}", what), file.string());
  file::CsvReader csv(in, file.string());
  for (bool header = true;; header = false) {
    const auto more = csv.next();
    if (!more) return fail(more);
    if (!*more) return {};
    if (csv.size() != columns) {
      return fail(ErrorCode::parse, fmt::format("{} columns, expected {}", csv.size(), columns),
                  csv.where());
    }
    if (header) continue;
    if (auto done = row(csv); !done) return done;
  }
}

}  // namespace artel::verify
