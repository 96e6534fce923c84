#pragma once

#include <cstdint>

namespace artel::sim {

/// Names one activity of a FairShare. Stays harmless after the activity ended.
enum class ActivityId : std::uint64_t {};

}  // namespace artel::sim
