#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/file/csv_reader.hpp"

namespace artel::verify {

/// Calls row() with the reader at each row of a CSV file, but for the header, and ends with the
/// first Error. `what` is in it, for messages. Errors: file, line and what is wrong: it cannot be
/// opened, is no CSV, or a row (the header, too) has not so many columns.
[[nodiscard]] Result<void> for_each_row(
    const std::filesystem::path& file, std::string_view what, std::size_t columns,
    const std::function<Result<void>(const file::CsvReader& csv)>& row);

}  // namespace artel::verify
