#pragma once

#include <cstdint>
#include <limits>

#include "artel/core/instant.hpp"

namespace artel::dispatch {

/// A queue length without bound.
inline constexpr std::uint32_t kUnbounded = std::numeric_limits<std::uint32_t>::max();

/// Load::heard of a worker that has not answered yet.
inline constexpr Instant kNotHeard = Instant::min();

/// What a decision may know about one worker. A host keeps up to date only what its policy needs
/// (see `needs`); of the rest, fields are as they are here.
struct Load {
  std::uint32_t queued = 0;  ///< tasks bound to it and unfinished, the running one included
  std::uint32_t capacity =
      kUnbounded;              ///< most it may have queued; 0: takes nothing (left, leaving)
  float weight = 1.0F;         ///< relative speed or priority, above 0
  std::uint32_t failures = 0;  ///< failed answers since the last good one
  Duration work{};             ///< hinted service outstanding, at this worker's speed
  Duration delay{};            ///< measured: how long its tasks wait in its queue
  Duration latency{};          ///< from sending it a task to the answer, smoothed, as of `heard`
  Instant heard = kNotHeard;   ///< when its last answer came

  /// Places free now.
  [[nodiscard]] constexpr std::uint32_t room() const {
    return capacity > queued ? capacity - queued : 0;
  }

  friend bool operator==(const Load&, const Load&) = default;
};

/// The workers that a policy can ask for as a group.
enum class Group : std::uint8_t {
  members,  ///< capacity above 0
  open,     ///< with room
  idle,     ///< with room and nothing queued
};

/// Whether a worker with this load is of the group.
[[nodiscard]] constexpr bool belongs(const Load& load, Group group) {
  switch (group) {
    case Group::members:
      return load.capacity > 0;
    case Group::open:
      return load.room() > 0;
    case Group::idle:
      return load.queued == 0 && load.capacity > 0;
  }
  return false;
}

}  // namespace artel::dispatch
