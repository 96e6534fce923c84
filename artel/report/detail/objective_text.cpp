#include "artel/report/detail/objective_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::report::detail {

std::string percent(double share) { return fmt::format("{:.2f}%", 100 * share); }

std::string objective_name(const scenario::Objective& objective) {
  auto name = objective.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return objective.of_class ? fmt::format("{} of {}", name, objective.of_class->name) : name;
}

std::string objective_text(const scenario::Objective& objective) {
  const auto name = objective_name(objective);
  if (scenario::is_share(objective.quantity)) {
    return fmt::format("{} <= {}", name, percent(objective.limit));
  }
  return fmt::format("{} <= {}", name, format_duration(from_seconds(objective.limit)));
}

std::string objectives_text(const std::vector<scenario::Objective>& objectives) {
  std::string text;
  for (const auto& objective : objectives) {
    text += (text.empty() ? "" : " and ") + objective_text(objective);
  }
  return text;
}

std::string list_of(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  }
  return text;
}

}  // namespace artel::report::detail
