#pragma once

#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/dispatch/load.hpp"
#include "tests/conformance/counts.hpp"

namespace artel::conformance {

/// What any host of the policies is, as far as the laws care.
struct Setting {
  std::uint32_t common_capacity = dispatch::kUnbounded;
  bool take_over = false;
  /// Held tasks are bound when a worker has nothing left, not as soon as it has room; meanwhile
  /// what arrives is held, too.
  bool binds_late = false;
};

enum class What : std::uint8_t {
  joined,    ///< a worker, with its capacity
  leaving,   ///< a worker; what waits goes to the others if `reassign`
  removed,   ///< a worker, at once; its running task, if any, is abandoned
  arrived,   ///< a task
  held,      ///< … waits in the common queue
  rejected,  ///< … is refused
  bound,     ///< … belongs to a worker: at once, after it was held, or taken over
  started,   ///< … runs
  finished,  ///< … ran
  settled,   ///< the host has done everything that it could, and says what it counts
};

/// One line of a transcript. Fields that do not belong to it are zero.
struct Happening {
  What what{};
  TaskId task{};
  WorkerId worker{};
  std::uint32_t capacity = 0;
  bool reassign = false;
  Counts counts{};

  friend bool operator==(const Happening&, const Happening&) = default;
};

}  // namespace artel::conformance
