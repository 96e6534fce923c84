#include "artel/lab/policy_names.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "artel/dispatch/policy_table.hpp"

namespace artel::lab {

const dispatch::PolicyEntry* find_policy(std::string_view name) {
  const auto table = dispatch::policy_table();
  const auto entry = std::find_if(table.begin(), table.end(), [&](const dispatch::PolicyEntry& e) {
    return e.name == (name == kCentral ? "least_loaded" : name);
  });
  return entry == table.end() ? nullptr : &*entry;
}

std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names{kCentral};
  for (const auto& entry : dispatch::policy_table()) names.push_back(entry.name);
  return names;
}

}  // namespace artel::lab
