#pragma once

#include "artel/core/instant.hpp"
#include "artel/pool/detail/timer_wheel.hpp"

namespace artel::pool::detail {

/// What Timers call at its time; intrusive, so that having it called takes no allocation.
class TimerCallback : public TimerEntry {
 public:
  /// Its time has come. Returns when to be called again; kNever: not again.
  virtual Instant on_time(Instant now) = 0;
  /// The Timers let go of it: it asked for no other call, or `stopped` with one to come. Not called
  /// after a cancel() that gave true. Unless it adds itself again, it may be gone when this
  /// returns.
  virtual void let_go(bool stopped) { static_cast<void>(stopped); }

 protected:
  ~TimerCallback() = default;
};

}  // namespace artel::pool::detail
