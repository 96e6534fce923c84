#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "artel/sim/kernel/block_pool.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/timeout.hpp"
#include "artel/sim/kernel/wait.hpp"
#include "artel/unit/instant.hpp"

namespace artel::sim {

class Context;

/// What of a wait for an event does not depend on the payload's type.
class EventWait : public Wait {
 public:
  void describe(std::string& text) const override;

 protected:
  EventWait(Context& context, std::uint32_t type)
      : context_(&context), type_(static_cast<std::uint16_t>(type)) {}
  EventWait(EventWait&&) = default;
  EventWait& operator=(EventWait&&) = default;

  inline void enter();  // joins the waits of the component
  inline void leave();  // leaves them, if it is among them
  /// The event that it got; valid until the process that waits was resumed and has waited again.
  [[nodiscard]] inline Event& event_in_hand() const;
  [[nodiscard]] inline BlockPool& blocks() const;
  /// Whether the payload is wanted, apart from type, source and key.
  [[nodiscard]] virtual bool wants(const Event&) const { return true; }

  Context* context_;
  EventWait* before_ = nullptr;  // in the table of waits
  union {
    EventWait* behind_ = nullptr;  // in the table of waits
    void* kept_;                   // the result, if it is not taken at once
  };
  std::uint64_t key_ = 0;
  ComponentId src_{};
  std::uint16_t type_;
  bool with_key_ : 1 = false;
  bool with_src_ : 1 = false;
  bool with_predicate_ : 1 = false;
  bool entered_ : 1 = false;
  bool is_kept_ : 1 = false;

 private:
  friend class WaitTable;
  friend struct Core;

  void enter_table();
  void leave_table();
};

/// An event that somebody awaited.
template <class T>
struct Received {
  T payload;
  Instant time;
  ComponentId src{};
  EventId id;

  const T& operator*() const { return payload; }
  const T* operator->() const { return &payload; }
};

template <class T, class Predicate>
class NextMatching;

/// Waits for the next event with a T for this component: `co_await context.next<Pong>()`,
/// optionally
/// `.from(src)`, `.key(k)`, `.matching(predicate)`, `.within(timeout)`.
///
/// The key of a payload is `std::uint64_t key_of(const T&)`, found beside T. Of the waits that an
/// event fits, the most specific gets it: first those with key and source, then key, then source,
/// then neither; among equals the one that has waited longest and whose predicate holds. An event
/// that nobody awaits goes to the component's `on`.
/// Cost: O(1) per event and wait, however many waits there are.
template <class T>
class Next : public EventWait {
 public:
  using Result = Received<T>;

  explicit Next(Context& context) : EventWait(context, payload_number<T>) {}
  Next(Next&&) = default;
  ~Next() override { withdraw(); }

  Next&& from(ComponentId src) && {
    with_src_ = true;
    src_ = src;
    return std::move(*this);
  }
  Next&& key(std::uint64_t key) && {
    static_assert(Keyed<T>, "write std::uint64_t key_of(const T&) beside the payload");
    with_key_ = true;
    key_ = key;
    return std::move(*this);
  }
  template <std::predicate<const T&> Predicate>
  NextMatching<T, Predicate> matching(Predicate predicate) && {
    return NextMatching<T, Predicate>(std::move(*this), std::move(predicate));
  }
  Timeout<Next> within(Duration timeout) && { return {std::move(*this), timeout}; }

  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    enter();
    return false;
  }
  void withdraw() {
    leave();
    if (is_kept_) [[unlikely]]
      drop_kept();
  }
  Result take() {
    if (is_kept_) [[unlikely]]
      return std::move(*static_cast<Result*>(kept_));
    return received();
  }
  void keep() override {
    kept_ = ::new (blocks().take(sizeof(Result))) Result(received());
    is_kept_ = true;
  }

 private:
  [[nodiscard]] Result received() const {
    Event& event = event_in_hand();
    return {std::move(PayloadAccess::get<T>(event)), event.time(), event.src(), event.id()};
  }
  void drop_kept() {
    is_kept_ = false;
    std::destroy_at(static_cast<Result*>(kept_));
    blocks().give_back(kept_, sizeof(Result));
  }
};

/// The same for payloads of which a predicate holds.
template <class T, class Predicate>
class NextMatching final : public Next<T> {
 public:
  NextMatching(Next<T>&& next, Predicate predicate)
      : Next<T>(std::move(next)), predicate_(std::move(predicate)) {
    this->with_predicate_ = true;
  }
  NextMatching(NextMatching&&) = default;

  Timeout<NextMatching> within(Duration timeout) && { return {std::move(*this), timeout}; }

 private:
  [[nodiscard]] bool wants(const Event& event) const override {
    return predicate_(*payload_if<T>(event));
  }

  Predicate predicate_;
};

}  // namespace artel::sim
