#include "artel/scenario/objective_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::scenario {

std::string objective_name(const Objective& objective) {
  auto name = objective.name;
  std::ranges::replace(name, '_', ' ');
  return objective.of_class ? fmt::format("{} of {}", name, objective.of_class->name) : name;
}

std::string objective_text(const Objective& objective) {
  return fmt::format("{} <= {}", objective_name(objective),
                     is_share(objective.quantity) ? fmt::format("{:g}%", 100 * objective.limit)
                                                  : format_duration(from_seconds(objective.limit)));
}

std::string objectives_text(const std::vector<Objective>& objectives) {
  std::vector<std::string> texts;
  texts.reserve(objectives.size());
  for (const auto& objective : objectives) texts.push_back(objective_text(objective));
  return join(texts, " and ");
}

}  // namespace artel::scenario
