#pragma once

#include <concepts>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/event_store.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/event_wait.hpp"
#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/timeout.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"

namespace artel::sim {

/// An event that somebody awaited.
template <class T>
struct Received {
  Received(T&& value, const Event& event)
      : payload(std::move(value)), time(event.time()), src(event.src()), name_(event) {}

  const T& operator*() const { return payload; }
  const T* operator->() const { return &payload; }
  /// As long as the simulation exists.
  [[nodiscard]] EventId id() const { return name_.id(); }

  T payload;          ///< what was sent
  Instant time;       ///< of the delivery
  ComponentId src{};  ///< who emitted it

 private:
  detail::EventName name_;
};

namespace detail {

template <class T>
Received<T> received(Event& event) {
  return {std::move(detail::PayloadAccess::get<T>(event)), event};
}

/// A co_await of one event and nothing else: in the process's own record.
template <class T>
class AwaitEvent {
 public:
  explicit AwaitEvent(detail::ProcessState& process) : process_(&process) {}

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) {
    process_->enter(*process_);
    process_->core().pause(*process_);
  }
  Received<T> await_resume() {
    if (process_->thrown_into) [[unlikely]]
      detail::throw_into(*process_);
    return received<T>(*process_->core().in_hand);
  }

 private:
  detail::ProcessState* process_;
};

}  // namespace detail

template <class T>
class Next;

/// A Next as a part of any_of, all_of or a timeout.
template <class T>
class NextWait : public detail::EventWait {
 public:
  using Result = Received<T>;

  NextWait(NextWait&&) = default;
  ~NextWait() override { withdraw(); }

  void withdraw() override {
    leave();
    if (kept_ != nullptr) [[unlikely]]
      drop_kept();
  }
  Result take() {
    if (kept_ != nullptr) [[unlikely]]
      return std::move(*kept_);
    return detail::received<T>(*detail::Wait::process().core().in_hand);
  }
  bool keep() override {
    if (kept_ != nullptr) return true;
    detail::ProcessState& process = detail::Wait::process();
    if constexpr (!std::is_trivially_copyable_v<T>) {
      return detail::call_for(process, [&] { move_to_pool(process.core()); });
    }
    move_to_pool(process.core());
    return true;
  }

 private:
  friend struct detail::WaitAccess;
  friend class Next<T>;
  template <class, class>
  friend class NextMatching;

  explicit NextWait(const detail::EventPattern& wanted) : detail::EventWait(wanted) {}

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    enter(process);
    return false;
  }

  void move_to_pool(detail::Core& core) {
    void* const memory = core.blocks.take(sizeof(Result));
    try {
      kept_ = ::new (memory) Result(detail::received<T>(*core.in_hand));
    } catch (...) {
      core.blocks.give_back(memory, sizeof(Result));
      throw;
    }
  }
  void drop_kept() {
    Result* const kept = std::exchange(kept_, nullptr);
    detail::BlockPool& blocks = detail::Wait::process().core().blocks;
    std::destroy_at(kept);
    blocks.give_back(kept, sizeof(Result));
  }

  Result* kept_ = nullptr;  // if it is not taken at once
};

/// The same for payloads of which a predicate holds. Threads: its simulation's.
/// Cost: the predicate is called for events that it may want, one after the other.
template <class T, class Predicate>
class NextMatching final : public NextWait<T> {
 public:
  NextMatching(NextMatching&&) = default;

  /// The same with an end: nullopt when none came within that time.
  [[nodiscard]] auto within(Duration timeout) && {
    return detail::Timeout<NextMatching>(std::move(*this), timeout);
  }

 private:
  friend class Next<T>;

  NextMatching(detail::EventPattern wanted, Predicate predicate)
      : NextWait<T>(with_predicate(wanted)), predicate_(std::move(predicate)) {}
  static detail::EventPattern with_predicate(detail::EventPattern wanted) {
    wanted.what |= detail::EventPattern::kPredicate;
    return wanted;
  }
  [[nodiscard]] bool wants(const Event& event) const override {
    return predicate_(*payload_if<T>(event));
  }

  Predicate predicate_;
};

/// Waits for the next event with a T for this component: `co_await context.next<Pong>()`, with
/// `.from(src)`, `.key(k)`, `.matching(predicate)` or `.within(timeout)` as wanted.
///
/// The key of a payload is `std::uint64_t key_of(const T&)`, found beside T. Of the waits that an
/// event fits, the most specific gets it: first those with key and source, then key, then source,
/// then neither; among equals the one that has waited longest and whose predicate holds. An event
/// that nobody awaits goes to the component's `on`.
/// Cost: O(1) per event and wait, however many waits there are. Threads: its simulation's.
template <class T>
class Next {
 public:
  Next&& from(ComponentId src) && {
    wanted_.what |= detail::EventPattern::from(src);
    return std::move(*this);
  }
  Next&& key(std::uint64_t key) && {
    static_assert(Keyed<T>, "write std::uint64_t key_of(const T&) beside the payload");
    wanted_.what |= detail::EventPattern::kWithKey;
    wanted_.key = key;
    return std::move(*this);
  }
  template <std::predicate<const T&> Predicate>
  NextMatching<T, Predicate> matching(Predicate predicate) && {
    return NextMatching<T, Predicate>(wanted_, std::move(predicate));
  }
  [[nodiscard]] auto within(Duration timeout) && {
    return detail::Timeout<NextWait<T>>(as_wait(), timeout);
  }

  /// As a part of something else to wait for.
  [[nodiscard]] NextWait<T> as_wait() const { return NextWait<T>(wanted_); }

 private:
  friend struct detail::WaitAccess;
  friend class Context;

  explicit Next(detail::EventTarget& target)
      : wanted_{.target = &target, .what = detail::payload_number<T>} {}

  /// For the co_await of that process.
  [[nodiscard]] detail::AwaitEvent<T> await_by(detail::ProcessState& process) const {
    process.want(wanted_);
    return detail::AwaitEvent<T>(process);
  }

  detail::EventPattern wanted_;
};

}  // namespace artel::sim
