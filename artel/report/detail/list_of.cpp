#include "artel/report/detail/list_of.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <vector>

namespace artel::report::detail {

std::string percent(double share) { return fmt::format("{:.2f}%", 100 * share); }

std::string list_of(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  }
  return text;
}

}  // namespace artel::report::detail
