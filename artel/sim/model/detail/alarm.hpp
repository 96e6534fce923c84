#pragma once

#include <algorithm>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// A component's event to itself whose time moves: at most one is pending.
template <class Payload>
class Alarm {
 public:
  /// Lets it ring at `at`, or now if that is past; kNever: not at all. One that is set to the time
  /// that it has keeps its place among the events of that time.
  void set(Context& self, Instant at, Payload payload) {
    at = std::max(at, self.now());
    if (at == at_) return;
    if (at_ != kNever) self.cancel(event_);
    at_ = at;
    if (at != kNever) event_ = self.emit_self(std::move(payload), at - self.now());
  }

  /// To be called when the event is delivered.
  void rang() { at_ = kNever; }

 private:
  Instant at_ = kNever;
  EventId event_;
};

}  // namespace artel::sim::detail
