#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/spin_lock.hpp"

namespace artel::pool::detail {

/// The submitters that wait for room in a full pool, a line for each priority.
///
/// The first in line is called when there is room, tries, and calls the next when it got in; so
/// room for several is taken by several, in order of arrival. Whoever submits meanwhile, without
/// having had to wait, may come before them.
/// Cost:    any() is one load of a line that changes only when a submitter goes to sleep or is
///          called.
/// Threads: any.
class RoomQueue {
 public:
  RoomQueue() = default;
  RoomQueue(const RoomQueue&) = delete;
  RoomQueue& operator=(const RoomQueue&) = delete;

  /// Whether the first of some line is to be called. Sequentially consistent: who makes room, then
  /// asks any(), and who is first in line, then tries, do not miss each other.
  [[nodiscard]] bool any() const { return to_call_.load() != 0; }

  /// Waits until `try_submit()` is true, or for the time given; what it said last.
  template <class Try>
  bool wait(Priority priority, Instant until, Try&& try_submit) {
    const InLine waiter(*this, priority);
    // It tries once after joining: nobody has called it for the room that there was before.
    do {
      waiter.ask_to_be_called();
      if (try_submit()) return true;
    } while (waiter.sleep(until));
    return false;
  }

  /// Has the first in line of that priority try.
  void call_first(Priority priority);
  /// Has them all try once more.
  void call_all();

 private:
  class InLine;
  using Call = std::atomic<std::uint32_t>;  // 1: called
  struct Line {
    InLine* first = nullptr;
    InLine* last = nullptr;
  };
  /// A submitter, as long as it waits.
  class InLine {
   public:
    InLine(RoomQueue& queue, Priority priority);
    InLine(const InLine&) = delete;
    InLine& operator=(const InLine&) = delete;
    ~InLine();

    /// If it is the first.
    void ask_to_be_called() const;
    /// Until it is called; false: not by then.
    bool sleep(Instant until) const;
    /// With the lock held: it cannot leave. Who it is must be woken, unless that is null, better
    /// without the lock, which it takes next.
    [[nodiscard]] const Call* call();

    InLine* next = nullptr;

   private:
    RoomQueue& queue_;
    const std::uint32_t bit_;
    Line& line_;
    InLine* before_;
    mutable Call called_ = 0;
  };

  static void wake(const Call* called);

  std::atomic<std::uint32_t> to_call_ = 0;  // a bit per line
  sync::SpinLock lock_;
  std::array<Line, kPriorities> lines_{};
};

}  // namespace artel::pool::detail
