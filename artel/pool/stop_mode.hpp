#pragma once

#include <cstdint>
#include <string>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace artel::pool {

/// What stop() does with tasks that have not started.
enum class StopMode : std::uint8_t {
  drain,   ///< runs them
  cancel,  ///< ends them as cancelled
};

/// A task that was still running when Pool::stop() stopped waiting for it.
struct RunningTask {
  WorkerId worker{};   ///< whose thread it is on; a task that waits or has stalled keeps a thread
  std::string task;    ///< the type of its callable, which names the function that it is written in
  Duration running{};  ///< at least: since stop() was called
};

}  // namespace artel::pool
