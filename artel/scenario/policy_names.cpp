#include "artel/scenario/policy_names.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/policy_text.hpp"
#include "artel/scenario/detail/look_up_file.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::scenario {

const dispatch::PolicyEntry* find_policy(std::string_view name) {
  const auto table = dispatch::policy_table();
  const auto entry = std::find_if(table.begin(), table.end(), [&](const dispatch::PolicyEntry& e) {
    return e.name == (name == kCentral ? "least_loaded" : name);
  });
  return entry == table.end() ? nullptr : &*entry;
}

Result<PolicySpec> parse_policy_spec(std::string_view text) {
  auto split = dispatch::split_policy(text);
  if (!split) return fail(split);
  PolicySpec spec;
  spec.label = text;
  spec.name = std::move(split->name);
  spec.parameters = std::move(split->parameters);
  const auto* const entry = find_policy(spec.name);
  if (entry == nullptr) {
    const auto allowed = policy_names();
    return fail(ErrorCode::not_found, unknown_name("policy", spec.name, allowed));
  }
  std::error_code gone;  // the current folder
  spec.file = detail::look_up_file(spec.parameters, std::filesystem::current_path(gone));
  auto policy = dispatch::make_policy(entry->name, spec.parameters);
  if (!policy) return fail(policy);
  spec.policy = std::move(*policy);
  if (spec.name == kCentral) spec.queue_bound = 1;
  return spec;
}

std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names{kCentral};
  for (const auto& entry : dispatch::policy_table()) names.push_back(entry.name);
  return names;
}

}  // namespace artel::scenario
