#include "artel/cluster/task_registry.hpp"

#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::cluster {
TaskRegistry& TaskRegistry::linked() {
  static TaskRegistry registry;
  return registry;
}

void TaskRegistry::add(const RegisteredTask& task) {
  const std::lock_guard guard(lock_);
  const bool added = tasks_.emplace(task.key.name, task).second;
  ARTEL_REQUIRE(added, "every task has a name of its own", task.key.name);
}

Result<RegisteredTask> TaskRegistry::find(const TaskKey& key) const {
  {
    const std::lock_guard guard(lock_);
    const auto at = tasks_.find(key.name);
    if (at != tasks_.end() && at->second.key == key) return at->second;
  }
  return fail(check_known(catalogue(), key));
}

std::vector<TaskKey> TaskRegistry::catalogue() const {
  const std::lock_guard guard(lock_);
  std::vector<TaskKey> keys;
  keys.reserve(tasks_.size());
  for (const auto& [name, task] : tasks_) keys.push_back(task.key);
  return keys;
}

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

}  // namespace artel::cluster
