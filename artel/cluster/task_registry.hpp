#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

struct ItemRun;

/// A function that a program can run for others. ARTEL_TASK makes it.
struct RegisteredTask {
  TaskKey key;
  void (*map)(ItemRun& run) = nullptr;  ///< for functions of one argument
  /// For functions of a sum and an item; `init` is the encoded sum to begin with.
  void (*fold)(ItemRun& run, std::string_view init) = nullptr;
};

/// The functions that a program can run for others, by name.
///
/// Cost: a lock, and O(log of the functions).
/// Threads: all members are safe from any thread.
class TaskRegistry {
 public:
  TaskRegistry() = default;
  TaskRegistry(const TaskRegistry&) = delete;
  TaskRegistry& operator=(const TaskRegistry&) = delete;

  /// What ARTEL_TASK has registered in this program.
  [[nodiscard]] static TaskRegistry& linked();

  /// Two functions of one name break the contract.
  void add(const RegisteredTask& task);
  /// Errors: as check_known().
  [[nodiscard]] Result<RegisteredTask> find(const TaskKey& key) const;
  /// By name.
  [[nodiscard]] std::vector<TaskKey> catalogue() const;

 private:
  mutable std::mutex lock_;
  std::map<std::string, RegisteredTask, std::less<>> tasks_;
};

/// FNV-1a, for signatures.
[[nodiscard]] std::uint64_t fingerprint(std::string_view text);

}  // namespace artel::cluster
