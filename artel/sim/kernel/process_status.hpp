#pragma once

#include <cstdint>

namespace artel::sim {

/// How far a spawned coroutine has come.
enum class ProcessStatus : std::uint8_t { running, done, failed, cancelled };

}  // namespace artel::sim
