#include "artel/lab/policy_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace artel::lab {
namespace {

std::string snake_case(std::string_view name) {
  std::string snake(name);
  std::replace(snake.begin(), snake.end(), '-', '_');
  return snake;
}

}  // namespace

const dispatch::PolicyEntry* find_policy(std::string_view name) {
  const auto wanted = name == kCentral ? std::string("least_loaded") : snake_case(name);
  for (const auto& entry : dispatch::policy_table()) {
    if (snake_case(entry.name) == wanted) return &entry;
  }
  return nullptr;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names{std::string(kCentral)};
  for (const auto& entry : dispatch::policy_table()) names.push_back(snake_case(entry.name));
  return names;
}

std::string policies_text() {
  std::string out = "policies, and the parameters that they take\n";
  out += fmt::format("  {:<21} one common queue: least_loaded with queue_bound 1\n", kCentral);
  for (const auto& entry : dispatch::policy_table()) {
    out += fmt::format("  {:<21} {}\n", snake_case(entry.name), entry.meaning);
    for (const auto& parameter : entry.parameters) {
      out += fmt::format("    {:<19} {} ({}; default {})\n", parameter.name, parameter.meaning,
                         parameter.allowed, parameter.fallback);
    }
  }
  return out;
}

}  // namespace artel::lab
