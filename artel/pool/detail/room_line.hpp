#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::pool::detail {

/// Whether a submitter whose task got in is to be woken, with so many tasks in the queue that take
/// that long. For short tasks there must be room for work beside which a wake-up is little, or for
/// half of all: a submitter that came back for each place would cost more than the tasks. Where
/// tasks turn out to be long, it looks by itself.
[[nodiscard]] inline bool waking_pays(std::size_t queued, std::size_t bound, Duration service) {
  constexpr Duration kWorth = std::chrono::milliseconds(1);
  const std::size_t free = bound - std::min(bound, queued) + 1;  // with the place that it got
  return free >= bound / 2 || static_cast<std::int64_t>(free) * std::min(service, kWorth) >= kWorth;
}

/// The submitters that wait for room in a bounded queue, each with its task: a line per priority,
/// in order of arrival. The line is the end of the queue that lies beyond its bound.
///
/// Whatever takes a task from the queue admits the task of the first in line in the same step, so
/// that no later task overtakes it. The submitter may sleep on: it is woken when that pays, and
/// looks by itself every kFirstLook to kLastLook.
/// Invariants:
///  L1  A submitter waits in a line only while its queue is full.
/// Memory:  none; a Waiter is on the stack of its submitter.
/// Threads: all functions under the lock of the queue, but any(), in_line(), Waiter::sleep().
template <class Atomics = sync::StdAtomics>
class BasicRoomLine {
  using Word = typename Atomics::template Atomic<std::uint32_t>;
  using Count = typename Atomics::template Atomic<std::size_t>;
  struct List;

 public:
  enum class State : std::uint32_t {
    waits,
    admitted,  ///< its task is in the queue
    closed,    ///< the queue takes no more
  };

  /// A submitter, as long as it waits.
  class Waiter {
   public:
    explicit Waiter(Job& job) : job_(job) {}
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    /// Sleeps for a while; true: it need not wait any more, or `until` has come.
    bool sleep(Instant until) {
      const Duration left = until == kNever ? pause_ : std::min(pause_, until - Atomics::now());
      pause_ = std::min(pause_ * 2, kLastLook);
      if (left > Duration::zero()) {
        Atomics::futex_wait(state_, static_cast<std::uint32_t>(State::waits), left);
      }
      return state() != State::waits || (until != kNever && until <= Atomics::now());
    }

   private:
    friend class BasicRoomLine;
    [[nodiscard]] State state() const { return static_cast<State>(state_.load()); }

    static constexpr Duration kFirstLook = std::chrono::milliseconds(1);
    static constexpr Duration kLastLook = std::chrono::milliseconds(64);

    Job& job_;
    Word state_ = static_cast<std::uint32_t>(State::waits);
    Duration pause_ = kFirstLook;
    List* list_ = nullptr;
    Waiter* before_ = nullptr;
    Waiter* next_ = nullptr;
  };

  /// Whether anybody waits, or is admitted and sleeps on. Sequentially consistent.
  [[nodiscard]] bool any() const { return present_.load() != 0; }
  /// How many wait.
  [[nodiscard]] std::size_t in_line() const { return in_line_.load(); }
  [[nodiscard]] std::size_t in_line(Priority priority) const { return of(priority).length; }

  void join(Waiter& waiter, Priority priority) {
    lines_[index(priority)].append(waiter);
    in_line_.store(in_line_.load() + 1);
    present_.store(present_.load() + 1);
  }
  /// Has `accept(Job&)` take the task of the first in line, which exists; false: it could not.
  template <class Accept>
  bool admit_first(Priority priority, Accept&& accept) {
    Waiter& first = *of(priority).first;
    if (!accept(first.job_)) return false;
    let_go(first, priority, State::admitted);
    return true;
  }
  void close() {
    for (std::size_t i = 0; i < kPriorities; ++i) {
      while (lines_[i].first != nullptr) {
        let_go(*lines_[i].first, static_cast<Priority>(i), State::closed);
      }
    }
  }
  /// The submitter goes; what became of it.
  [[nodiscard]] State leave(Waiter& waiter) {
    if (waiter.list_ == nullptr) return waiter.state();
    if (waiter.state() != State::waits) {
      remove_asleep(waiter, *waiter.list_);
    } else {
      waiter.list_->remove(waiter);
      present_.store(present_.load() - 1);
      in_line_.store(in_line_.load() - 1);
    }
    return waiter.state();
  }

  /// Whether one sleeps on.
  [[nodiscard]] bool asleep(Priority priority) const {
    return asleep_count_[index(priority)].load(std::memory_order_relaxed) != 0;
  }
  /// Wakes those that sleep on, without the lock while it wakes one.
  template <class Lock>
  void wake(Lock& lock, Priority priority) {
    List& asleep = asleep_[index(priority)];
    for (;;) {
      const Word* word = nullptr;
      {
        const std::lock_guard guard(lock);
        if (asleep.first == nullptr) return;
        word = &asleep.first->state_;
        remove_asleep(*asleep.first, asleep);
      }
      Atomics::futex_wake(*word, 1);  // which may be gone by now
    }
  }

 private:
  struct List {
    Waiter* first = nullptr;
    Waiter* last = nullptr;
    std::size_t length = 0;

    void append(Waiter& waiter) {
      waiter.list_ = this;
      waiter.before_ = last;
      waiter.next_ = nullptr;
      (last == nullptr ? first : last->next_) = &waiter;
      last = &waiter;
      ++length;
    }
    void remove(Waiter& waiter) {
      (waiter.before_ == nullptr ? first : waiter.before_->next_) = waiter.next_;
      (waiter.next_ == nullptr ? last : waiter.next_->before_) = waiter.before_;
      waiter.list_ = nullptr;
      --length;
    }
  };

  static std::size_t index(Priority priority) { return static_cast<std::size_t>(priority); }
  [[nodiscard]] const List& of(Priority priority) const { return lines_[index(priority)]; }
  void let_go(Waiter& waiter, Priority priority, State state) {
    lines_[index(priority)].remove(waiter);
    asleep_[index(priority)].append(waiter);
    note_asleep();
    in_line_.store(in_line_.load() - 1);
    waiter.state_.store(static_cast<std::uint32_t>(state));
  }

  void remove_asleep(Waiter& waiter, List& list) {
    list.remove(waiter);
    note_asleep();
    present_.store(present_.load() - 1);
  }
  void note_asleep() {
    for (std::size_t i = 0; i < kPriorities; ++i) {
      asleep_count_[i].store(asleep_[i].length, std::memory_order_relaxed);
    }
  }

  Count present_ = 0;
  Count in_line_ = 0;
  std::array<Count, kPriorities> asleep_count_{};
  std::array<List, kPriorities> lines_{};
  std::array<List, kPriorities> asleep_{};
};

using RoomLine = BasicRoomLine<>;

}  // namespace artel::pool::detail
