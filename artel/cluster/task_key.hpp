#pragma once

#include <cstdint>
#include <string>

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

}  // namespace artel::cluster
