#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

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
  EventWait(Context& context, std::uint32_t type) : context_(&context), type_(type) {}
  EventWait(EventWait&&) = default;
  EventWait& operator=(EventWait&&) = default;

  void register_at_context();  // joins the waits of the component
  void unregister();           // leaves them, if it is among them
  /// Whether the payload is wanted, apart from type, source and key.
  [[nodiscard]] virtual bool wants(const Event& event) const = 0;
  /// Takes the payload.
  virtual void receive(Event& event) = 0;

  Context* context_;
  ProcessState* process_ = nullptr;
  EventWait* before_ = nullptr;  // in the table of waits
  EventWait* behind_ = nullptr;
  std::uint64_t key_ = 0;
  ComponentId src_{};
  std::uint32_t type_;
  bool with_key_ = false;
  bool with_src_ = false;
  bool registered_ = false;

 private:
  friend class Fetch;
  friend class WaitTable;
  friend struct Core;
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
  ~Next() { withdraw(); }

  Next from(ComponentId src) && {
    with_src_ = true;
    src_ = src;
    return std::move(*this);
  }
  Next key(std::uint64_t key) && {
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

  bool start(Wait& parent, ProcessState& process) {
    set_parent(parent);
    process_ = &process;
    register_at_context();
    return false;
  }
  void withdraw() { unregister(); }
  Result take() {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): received before it finished
    return std::move(*received_);
  }

 protected:
  [[nodiscard]] bool wants(const Event&) const override { return true; }

 private:
  void receive(Event& event) override {
    received_.emplace(
        Result{std::move(PayloadAccess::get<T>(event)), event.time(), event.src(), event.id()});
  }

  std::optional<Result> received_;
};

/// The same for payloads of which a predicate holds.
template <class T, class Predicate>
class NextMatching final : public Next<T> {
 public:
  NextMatching(Next<T>&& next, Predicate predicate)
      : Next<T>(std::move(next)), predicate_(std::move(predicate)) {}
  NextMatching(NextMatching&&) = default;

  Timeout<NextMatching> within(Duration timeout) && { return {std::move(*this), timeout}; }

 private:
  [[nodiscard]] bool wants(const Event& event) const override {
    return predicate_(*payload_if<T>(event));
  }

  Predicate predicate_;
};

}  // namespace artel::sim
