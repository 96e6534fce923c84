#pragma once

#include <string>
#include <system_error>

namespace artel::command::detail {

/// Which limit of the system is too low for even one job; empty: the error has another cause.
[[nodiscard]] std::string system_limit(std::error_code error);

/// Whether the system has no room now and may have when some job has ended.
[[nodiscard]] bool is_transient(std::error_code error);

}  // namespace artel::command::detail
