#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::sim::detail {
class Calendar;
class EventCuts;
class EventName;
class EventStore;
class Fetch;
class WaitTable;
struct Core;
struct PayloadAccess;
}  // namespace artel::sim::detail

namespace artel::sim {

/// A component of one Simulation: dense numbers from 0 in order of creation.
enum class ComponentId : std::uint32_t {};

/// Names one emitted event of one simulation, for cancelling it. Stays harmless after the event was
/// delivered, and means nothing to other simulations. Within one, in order of creation.
class EventId {
 public:
  constexpr EventId() = default;
  friend constexpr bool operator==(const EventId&, const EventId&) = default;
  friend constexpr auto operator<=>(const EventId& a, const EventId& b) {
    return a.store_ != b.store_ ? a.store_ <=> b.store_ : a.tag_ <=> b.tag_;
  }

 private:
  friend class detail::EventStore;
  friend class SimulationTrace;
  constexpr EventId(std::uint32_t store, std::uint32_t place, std::uint64_t tag)
      : store_(store), place_(place), tag_(tag) {}

  std::uint32_t store_ = 0;  // of which simulation
  std::uint32_t place_ = 0;  // where it lies
  std::uint64_t tag_ = 0;    // the event's; 0: no event
};

/// What a handler learns about a delivery besides the payload.
///
/// 48 bytes: payloads of up to 24 trivially copyable bytes travel inside, others in a recycled
/// block. The order of events is that of their times, then that of their creation.
class Event {
 public:
  /// Payloads of more bytes are put elsewhere.
  static constexpr std::size_t kInlineBytes = 24;

  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// When it is delivered, from whom (src()) to whom (dst()), and which it is: id().
  [[nodiscard]] Instant time() const {
    return Instant{Duration{static_cast<Duration::rep>(time_)}};
  }
  [[nodiscard]] ComponentId src() const { return src_; }
  [[nodiscard]] ComponentId dst() const { return dst_; }
  [[nodiscard]] EventId id() const;

 private:
  friend class detail::Calendar;
  friend class detail::EventCuts;
  friend class detail::EventName;
  friend class detail::EventStore;
  friend class Simulation;
  friend class Context;
  friend class detail::Fetch;
  friend class SimulationTrace;
  friend class detail::WaitTable;
  friend struct detail::Core;
  friend struct detail::PayloadAccess;

  // tag_ = number in order of creation, from 1 | whether it was created in the background, see
  // Calendar | type | boxed; 0: this is no event
  static constexpr unsigned kTypeBits = 15;
  static constexpr unsigned kStampShift = kTypeBits + 1;
  static constexpr unsigned kNumberShift = kStampShift + 1;

  [[nodiscard]] static std::uint32_t type_of(std::uint64_t tag) {
    return static_cast<std::uint32_t>(tag >> 1U) & ((1U << kTypeBits) - 1);
  }
  [[nodiscard]] std::uint64_t number() const { return tag_ >> kNumberShift; }
  [[nodiscard]] std::uint32_t type() const { return type_of(tag_); }
  [[nodiscard]] bool boxed() const { return (tag_ & 1U) != 0; }
  [[nodiscard]] bool in_background() const { return (tag_ >> kStampShift & 1U) != 0; }

  std::uint64_t time_ = 0;  // nanoseconds since the start
  std::uint64_t tag_ = 0;
  ComponentId src_{};
  ComponentId dst_{};
  alignas(8) std::byte payload_[kInlineBytes]{};  // or, boxed, a pointer to it
};
static_assert(sizeof(Event) == 48);

}  // namespace artel::sim
