#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "artel/core/error.hpp"

namespace artel::cluster {

/// Which function: equal in master and worker, or the chunk is refused.
struct TaskKey {
  std::string name;
  std::uint32_t version = 0;
  std::uint64_t signature = 0;  ///< hash of the types of its arguments and result

  friend bool operator==(const TaskKey&, const TaskKey&) = default;
};

/// "thumbnail v2"
[[nodiscard]] std::string to_string(const TaskKey& key);

/// Whether `wanted` is among the known functions. Errors: not_found (with the nearest name),
/// unsupported (another version, or other types).
[[nodiscard]] Result<void> check_known(std::span<const TaskKey> known, const TaskKey& wanted);

}  // namespace artel::cluster
