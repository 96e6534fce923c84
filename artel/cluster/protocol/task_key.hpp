#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"

namespace artel::cluster {

/// Which function: equal in master and worker, or the chunk is refused.
struct TaskKey {
  std::string name;
  std::uint32_t version = 0;    ///< what ARTEL_TASK was told; 1 unless it was
  std::uint64_t signature = 0;  ///< hash of the types of its arguments and result

  friend bool operator==(const TaskKey&, const TaskKey&) = default;
};

/// "thumbnail v2"
[[nodiscard]] std::string to_string(const TaskKey& key);

/// What a worker has, or where it is, as something that it can do: `gpu`, `host:lab7`. An order may
/// need some as it needs tasks.
[[nodiscard]] TaskKey tag_key(std::string_view tag);
[[nodiscard]] bool is_tag(const TaskKey& key);
/// 1 to 64 letters, digits, '-', '_', '.' and ':'.
[[nodiscard]] bool is_tag_name(std::string_view text);

/// Whether `wanted` is among the known functions. Errors: not_found (with the nearest name),
/// unsupported (another version, or other types).
[[nodiscard]] Result<void> check_known(std::span<const TaskKey> known, const TaskKey& wanted);

}  // namespace artel::cluster
