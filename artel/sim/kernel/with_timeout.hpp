#pragma once

#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/task_wait.hpp"
#include "artel/sim/kernel/detail/timeout.hpp"

namespace artel::sim {

/// `co_await with_timeout(network.transfer(a, b, bytes), 1s)`: a wait, a task or a process for a
/// limited time; its result, or nullopt when the time ran out first. A task is then cancelled.
template <class Part>
[[nodiscard]] auto with_timeout(Part part, Duration limit) {
  return detail::Timeout<decltype(detail::as_wait(std::move(part)))>(
      detail::as_wait(std::move(part)), limit);
}

}  // namespace artel::sim
