#pragma once

#include <charconv>

namespace artel::detail {

/// As std::from_chars does, for standard libraries that have it for integers only (libc++ 19).
[[nodiscard]] std::from_chars_result read_double(const char* begin, const char* end,
                                                 double& number);

}  // namespace artel::detail
