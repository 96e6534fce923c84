#pragma once

#include <utility>

#include "artel/sim/kernel/task_wait.hpp"
#include "artel/sim/kernel/timeout.hpp"
#include "artel/unit/instant.hpp"

namespace artel::sim {

/// `co_await with_timeout(network.transfer(a, b, bytes), 1s)`: a wait, a task or a process for a
/// limited time; its result, or nullopt when the time ran out first. A task is then cancelled.
template <class Part>
[[nodiscard]] auto with_timeout(Part part, Duration limit) {
  return Timeout<decltype(detail::as_wait(std::move(part)))>(detail::as_wait(std::move(part)),
                                                             limit);
}

}  // namespace artel::sim
