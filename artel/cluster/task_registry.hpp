#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/detail/codec.hpp"
#include "artel/cluster/protocol.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// The items of a chunk on their way through a task's function.
struct ItemRun {
  detail::Decoder items;
  ChunkKind kind{};
  std::uint64_t first = 0;    ///< index of the first item in the job
  std::uint32_t count = 0;    ///< items
  std::uint32_t retries = 0;  ///< of an item, on the spot

  std::string output;      ///< encoded so far
  std::uint32_t done = 0;  ///< items in `output`
  std::vector<RemoteProblem> problems;
  bool unreadable = false;  ///< items or seed are not what the function takes; see problems

  /// What the current exception says about item `i` of the chunk.
  void note_failure(std::uint32_t i, std::uint32_t attempts);
  void note_unreadable(std::uint32_t i, const Error& error);
};

/// The functions that a program can run for others, by name.
///
/// Threads: all members are safe from any thread.
class TaskRegistry {
 public:
  struct Entry {
    TaskKey key;
    void (*map)(ItemRun& run) = nullptr;  ///< for functions of one argument
    /// For functions of a sum and an item; `init` is the encoded sum to begin with.
    void (*fold)(ItemRun& run, std::string_view init) = nullptr;
  };

  TaskRegistry() = default;
  TaskRegistry(const TaskRegistry&) = delete;
  TaskRegistry& operator=(const TaskRegistry&) = delete;

  /// What ARTEL_TASK has registered in this program.
  [[nodiscard]] static TaskRegistry& linked();

  /// Two functions of one name break the contract.
  void add(const Entry& entry);
  /// Errors: as check_known().
  [[nodiscard]] Result<Entry> find(const TaskKey& key) const;
  /// By name.
  [[nodiscard]] std::vector<TaskKey> catalogue() const;

 private:
  mutable std::mutex lock_;
  std::map<std::string, Entry, std::less<>> entries_;
};

/// Whether `wanted` is among the known functions. Errors: not_found (with the nearest name),
/// unsupported (another version, or other types).
[[nodiscard]] Result<void> check_known(std::span<const TaskKey> known, const TaskKey& wanted);

/// FNV-1a, for signatures.
[[nodiscard]] std::uint64_t fingerprint(std::string_view text);

/// Works on the chunk. What goes wrong is in the result, never thrown.
[[nodiscard]] ChunkResult run_chunk(const TaskRegistry& registry, const ChunkOrder& order);

}  // namespace artel::cluster
