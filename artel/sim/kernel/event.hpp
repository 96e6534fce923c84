#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::sim::detail {
class Calendar;
class Fetch;
class WaitTable;
struct Core;
struct PayloadAccess;
}  // namespace artel::sim::detail

namespace artel::sim {

/// A component of one Simulation: dense numbers from 0 in order of creation.
enum class ComponentId : std::uint32_t {};

/// Names one emitted event, for cancelling it. Stays harmless after the event was delivered.
class EventId {
 public:
  constexpr EventId() = default;
  friend constexpr auto operator<=>(const EventId&, const EventId&) = default;

 private:
  friend class detail::Calendar;
  friend class Event;
  friend class SimulationTrace;
  constexpr EventId(std::uint64_t time, std::uint64_t tag) : time_(time), tag_(tag) {}

  std::uint64_t time_ = 0;
  std::uint64_t tag_ = 0;  // 0: no event
};

/// What a handler learns about a delivery besides the payload.
///
/// 48 bytes: payloads of up to 24 trivially copyable bytes travel inside, others in a recycled
/// block. The order of events is that of (time, tag), as one 128-bit number.
class Event {
 public:
  static constexpr std::size_t kInlineBytes = 24;

  [[nodiscard]] Instant time() const {
    return Instant{Duration{static_cast<Duration::rep>(time_)}};
  }
  [[nodiscard]] ComponentId src() const { return src_; }
  [[nodiscard]] ComponentId dst() const { return dst_; }
  [[nodiscard]] EventId id() const { return {time_, tag_}; }

 private:
  friend class detail::Calendar;
  friend class Simulation;
  friend class Context;
  friend class detail::Fetch;
  friend class SimulationTrace;
  friend class detail::WaitTable;
  friend struct detail::Core;
  friend struct detail::PayloadAccess;

  // tag_ = number in order of creation (shuffled on request) | type | boxed
  static constexpr unsigned kTypeBits = 15;
  static constexpr unsigned kNumberShift = kTypeBits + 1;

  [[nodiscard]] static std::uint32_t type_of(std::uint64_t tag) {
    return static_cast<std::uint32_t>(tag >> 1U) & ((1U << kTypeBits) - 1);
  }
  [[nodiscard]] std::uint32_t type() const { return type_of(tag_); }
  [[nodiscard]] bool boxed() const { return (tag_ & 1U) != 0; }

  std::uint64_t time_ = 0;  // nanoseconds since the start
  std::uint64_t tag_ = 0;
  ComponentId src_{};
  ComponentId dst_{};
  alignas(8) std::byte payload_[kInlineBytes]{};  // or, boxed, a pointer to it
};
static_assert(sizeof(Event) == 48);

}  // namespace artel::sim
