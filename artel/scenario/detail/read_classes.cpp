#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario::detail {

std::vector<TaskClass> read_classes(const config::TableReader& workload, bool by_row,
                                    config::Problems& problems) {
  std::vector<TaskClass> classes;
  double shares = 0;
  for (const auto& item : workload.items("classes")) {
    const config::TableReader reader(scenario_schema(), item, "workload.classes[]", problems);
    TaskClass one;
    one.name = reader.text("name");
    if (by_row && reader.has("share"))
      reader.refuse("share", "does not go with workload.trace.class, which says it");
    if (!by_row && !reader.has("share"))
      reader.refuse_missing("share", "a number above 0 up to 1: its part of all tasks");
    if (reader.has("share")) one.share = reader.number("share");
    const double priority = reader.number("priority");
    if (priority != std::floor(priority))
      reader.refuse("priority", fmt::format("found {}, allowed: a whole number", priority));
    one.priority = static_cast<std::int32_t>(priority);
    if (reader.has("service")) {
      if (auto law = read_law(reader, "service", "workload.classes.service", problems))
        one.service = std::move(*law);
    }
    if (reader.has("key")) one.key = static_cast<std::uint64_t>(reader.count("key"));
    if (reader.has("deadline")) one.deadline = reader.duration("deadline");
    shares += one.share;
    const bool twice = std::any_of(classes.begin(), classes.end(),
                                   [&](const TaskClass& other) { return other.name == one.name; });
    if (twice) reader.refuse("name", fmt::format("'{}' is there twice", one.name));
    classes.push_back(std::move(one));
  }
  constexpr std::size_t kClassesMax = 100;
  constexpr double kRounding = 1e-6;
  if (classes.size() > kClassesMax) {
    workload.refuse("classes", fmt::format("found a list of {}, allowed: up to {}", classes.size(),
                                           kClassesMax));
  } else if (!by_row && !classes.empty() && std::abs(shares - 1) > kRounding) {
    workload.refuse("classes", fmt::format("the shares sum to {:.6g}, allowed: 1", shares));
  }
  return classes;
}

}  // namespace artel::scenario::detail
