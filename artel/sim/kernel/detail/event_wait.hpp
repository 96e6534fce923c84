#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_timer.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// Which events are awaited: those for a component, with a payload type, perhaps of one source,
/// with one key. Two patterns are for the same events when all three members are equal, kPredicate
/// apart.
struct EventPattern {
  static constexpr std::uint64_t kWithSrc = std::uint64_t{1} << 16U;
  static constexpr std::uint64_t kWithKey = std::uint64_t{1} << 17U;
  static constexpr std::uint64_t kPredicate = std::uint64_t{1} << 18U;  // and a predicate holds
  static constexpr unsigned kSrcShift = 32;

  [[nodiscard]] static std::uint64_t from(ComponentId src) {
    return kWithSrc | std::uint64_t{static_cast<std::uint32_t>(src)} << kSrcShift;
  }

  [[nodiscard]] std::uint16_t type() const { return static_cast<std::uint16_t>(what); }
  [[nodiscard]] ComponentId src() const {
    return ComponentId{static_cast<std::uint32_t>(what >> kSrcShift)};
  }
  [[nodiscard]] bool has(std::uint64_t flag) const { return (what & flag) != 0; }

  EventTarget* target = nullptr;
  std::uint64_t key = 0;   // 0 without kWithKey
  std::uint64_t what = 0;  // payload type, flags, source: in one word, for comparing
};

/// A wait for an event: in the process's record or part of a frame.
class EventWait : public Wait {
 public:
  void describe(std::string& text) const override;

 protected:
  explicit EventWait(const EventPattern& wanted) : wanted_(wanted) {}
  EventWait(EventWait&&) = default;
  EventWait& operator=(EventWait&&) = default;

  /// Of any, a record too.
  [[nodiscard]] ProcessState& process() const {
    return WaitAccess::process_of_any(const_cast<EventWait&>(*this));
  }
  /// Joins the waits of the component. Requires: `waiter` is its process.
  void enter(ProcessState& waiter) {
    EventTarget& target = *wanted_.target;
    if (target.waits != EventTarget::Waits::none) [[unlikely]]
      return enter_table();
    before_ = this;
    target.waits = EventTarget::Waits::one;
    target.wait_type = wanted_.type();
    target.only_wait = this;
    target.only_waiter = &waiter;
  }
  /// Leaves them, if it is among them.
  void leave() {
    if (before_ == nullptr) return;
    if (wanted_.target->waits != EventTarget::Waits::one) [[unlikely]] {
      leave_table();
    } else {
      wanted_.target->waits = EventTarget::Waits::none;
    }
    before_ = nullptr;
  }
  [[nodiscard]] std::optional<bool> ask(const Event& event);
  /// Whether the payload is wanted, apart from type, source and key; asked with kPredicate.
  [[nodiscard]] virtual bool wants(const Event&) const { return true; }

  EventPattern wanted_;

 private:
  friend class WaitTable;
  friend struct Core;

  void enter_table();  // beside other waits of the component
  void leave_table();

  EventWait* before_ = nullptr;  // in the table of waits; nullptr: not entered
  EventWait* behind_ = nullptr;
};
static_assert(sizeof(EventWait) == 56);

/// What a process waits in for one event, or for a time, and nothing else: the first part of its
/// record, because a frame would have room for such a wait for every co_await of the coroutine's
/// text. While the process waits for something else, this knows what for.
class DirectWait : public EventWait {
 public:
  explicit DirectWait(Core& core) : EventWait({}) { begin_record(core); }

  /// Word by word: a wider copy of what was just written in words would wait for the stores.
  void want(const EventPattern& pattern) {
    wanted_.target = pattern.target;
    wanted_.key = pattern.key;
    wanted_.what = pattern.what;
  }
  using EventWait::enter;

  void sleep(Duration duration);
  /// Its timer has fired.
  void sleep_is_over() { wanted_.key = 0; }
  /// Whether it is for a time, or was last.
  [[nodiscard]] bool is_sleep() const { return wanted_.target == nullptr; }

  /// Something else that the process waits for. Requires: it waits for nothing here.
  void set_other(Wait& other) { wanted_.key = std::bit_cast<std::uint64_t>(&other); }
  [[nodiscard]] Wait* other() const { return std::bit_cast<Wait*>(wanted_.key); }

  void withdraw() override;
  void describe(std::string& text) const override;

 private:
  // A sleep has no target; `what` is how long it is, `key` its timer while that runs. `key` is also
  // what is waited for instead.
  [[nodiscard]] WaitTimer timer() const { return std::bit_cast<WaitTimer>(wanted_.key); }
};

}  // namespace artel::sim::detail
