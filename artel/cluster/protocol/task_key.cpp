#include "artel/cluster/protocol/task_key.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"

namespace artel::cluster {

std::string to_string(const TaskKey& key) { return fmt::format("{} v{}", key.name, key.version); }

Result<void> check_known(std::span<const TaskKey> known, const TaskKey& wanted) {
  const auto same_name = std::ranges::find(known, wanted.name, &TaskKey::name);
  if (same_name == known.end()) {
    std::vector<std::string_view> names;
    names.reserve(known.size());
    for (const TaskKey& key : known) names.push_back(key.name);
    return fail(ErrorCode::not_found, unknown_name("task", wanted.name, names));
  }
  if (same_name->version != wanted.version) {
    return fail(ErrorCode::unsupported,
                fmt::format("task '{}' has version {} there, version {} is "
                            "wanted: build master and workers alike",
                            wanted.name, same_name->version, wanted.version));
  }
  if (same_name->signature != wanted.signature) {
    return fail(ErrorCode::unsupported,
                fmt::format("task '{}' takes or returns other types there: build master and "
                            "workers alike, and raise the task's version with such a change",
                            wanted.name));
  }
  return {};
}

}  // namespace artel::cluster
