#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_options.hpp"

namespace artel::logs::detail {

/// The format of a log that starts so; nullptr: none.
[[nodiscard]] const LogFormat* recognised_format(std::string_view start);

/// What to read a log by: its format, with what the options say. Views in it are of the options.
/// Errors: none is known, or it lacks what the options do not say either.
[[nodiscard]] Result<LogFormat> chosen_format(std::string_view start, const LogOptions& options);

/// Whether the first line is a JSON document of its own, as far as brackets tell.
[[nodiscard]] bool is_line_of_json(std::string_view start);

/// Of CSV whose first line calls its columns as LogOptions::columns does: each by its own name.
/// Empty: none of them says when a task came.
[[nodiscard]] std::map<std::string, std::string, std::less<>> own_columns(std::string_view start);

}  // namespace artel::logs::detail
