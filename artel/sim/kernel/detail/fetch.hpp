#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// Brings what an event will meet into the cache, in stages that each need the one before: in a big
/// model, waiting for memory is what an event costs.
///
/// Inlined by force: g++ 12 takes a function that only prefetches for one without effect.
class Fetch {
 public:
  static constexpr std::size_t kAhead = 30;  // so many events ahead is the first stage

  /// To be called whenever there are more.
  void look_in(const std::vector<Context*>& components) { components_ = components.data(); }

  /// One of many events is being delivered, `far` comes kAhead later, if that is known: a stage for
  /// it and, unless their order has changed since, for some that come before.
  [[gnu::always_inline]] void turn(const Event* far) {
    ++turn_;
    coming(kAhead) = far;
    if (far != nullptr) event(*far);
    if (const Event* next = coming(kPlaceAhead)) place(*next);
    if (const Event* next = coming(kComponentAhead)) component(*next);
    if (const Event* next = coming(kProcessAhead)) process(*next);
    if (const Event* next = coming(kFrameAhead)) frame(*next);
  }

  /// First the event.
  [[gnu::always_inline]] static void event(const Event& event) {
    const auto* first = reinterpret_cast<const std::byte*>(&event);
    __builtin_prefetch(first);
    __builtin_prefetch(first + sizeof(Event) - 1);  // every other one lies in two lines
  }
  /// Then where its component is.
  [[gnu::always_inline]] void place(const Event& event) const {
    __builtin_prefetch(static_cast<const void*>(components_ + index(event.dst())));
  }
  /// Then the component.
  [[gnu::always_inline]] void component(const Event& event) const {
    const auto* component = reinterpret_cast<const std::byte*>(components_[index(event.dst())]);
    __builtin_prefetch(component);
    __builtin_prefetch(component + kLine);
  }
  /// Then, where a process waits for the event, the process.
  [[gnu::always_inline]] void process(const Event& event) const {
    const Context* component = waiting(event);
    if (component == nullptr) return;
    const auto* process = reinterpret_cast<const std::byte*>(component->target_.only_waiter);
    __builtin_prefetch(process);
    __builtin_prefetch(process + kLine);
  }
  /// Then the frame of its coroutine, its first lines.
  [[gnu::always_inline]] void frame(const Event& event) const {
    const Context* component = waiting(event);
    if (component == nullptr) return;
    const auto* leaf = reinterpret_cast<const std::byte*>(component->target_.only_waiter->leaf);
    for (std::ptrdiff_t line = 0; line < kFrameLines; ++line) {
      __builtin_prefetch(leaf + line * kLine);
    }
  }

 private:
  static constexpr std::ptrdiff_t kLine = 64;
  static constexpr std::ptrdiff_t kFrameLines = 4;

  [[nodiscard]] const Context* waiting(const Event& event) const {
    const Context* component = components_[index(event.dst())];
    return component != nullptr && component->target_.waits == EventTarget::Waits::one &&
                   component->target_.wait_type == event.type()
               ? component
               : nullptr;
  }

  // How many events ahead the other stages are.
  static constexpr std::size_t kPlaceAhead = 24;
  static constexpr std::size_t kComponentAhead = 16;
  static constexpr std::size_t kProcessAhead = 9;
  static constexpr std::size_t kFrameAhead = 4;

  /// An event taken back meanwhile has left its place empty, or to another: both may be looked at.
  [[nodiscard]] const Event*& coming(std::size_t ahead) {
    return coming_[(turn_ + ahead) % coming_.size()];
  }

  const Context* const* components_ = nullptr;
  std::array<const Event*, 32> coming_{};
  std::size_t turn_ = 0;
};

}  // namespace artel::sim::detail
