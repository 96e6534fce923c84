#include "artel/lab/policy_names.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>
#include "artel/dispatch/policy_table.hpp"

namespace artel::lab {

std::string snake_case(std::string_view name) {
  std::string snake(name);
  std::replace(snake.begin(), snake.end(), '-', '_');
  return snake;
}

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

}  // namespace artel::lab
