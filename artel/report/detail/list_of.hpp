#pragma once

#include <string>
#include <vector>

namespace artel::report::detail {

/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string list_of(const std::vector<std::string>& items);

/// "12.34%"
[[nodiscard]] std::string percent(double share);

}  // namespace artel::report::detail
