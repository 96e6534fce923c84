#pragma once

#include <cstddef>
#include <vector>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/unit/id.hpp"

namespace artel::sim {

/// Brings what an event will meet into the cache, in stages that each need the one before: in a big
/// model, waiting for memory is what an event costs.
///
/// Inlined by force: g++ 12 takes a function that only prefetches for one without effect.
class Fetch {
 public:
  explicit Fetch(const std::vector<Context*>& components) : components_(components.data()) {}

  /// First where its component is.
  [[gnu::always_inline]] void place(const Event& event) const {
    __builtin_prefetch(static_cast<const void*>(components_ + index(event.dst())));
  }
  /// Then the component.
  [[gnu::always_inline]] void component(const Event& event) const {
    const auto* component = reinterpret_cast<const std::byte*>(components_[index(event.dst())]);
    __builtin_prefetch(component);
    __builtin_prefetch(component + kLine);
  }
  /// Then the frame of the coroutine that waits for the event.
  [[gnu::always_inline]] void frame(const Event& event) const {
    if (const EventWait* wait = waiting(event)) {
      const auto* middle = reinterpret_cast<const std::byte*>(wait);
      for (std::ptrdiff_t line = -2; line <= 2; ++line) __builtin_prefetch(middle + line * kLine);
    }
  }
  /// Then its process.
  [[gnu::always_inline]] void process(const Event& event) const {
    if (const EventWait* wait = waiting(event)) __builtin_prefetch(wait->process_);
  }

 private:
  static constexpr std::ptrdiff_t kLine = 64;

  [[nodiscard]] const EventWait* waiting(const Event& event) const {
    const Context* component = components_[index(event.dst())];
    return component != nullptr && component->waits_ == Context::Waits::one &&
                   component->wait_type_ == event.type()
               ? component->only_wait_
               : nullptr;
  }

  const Context* const* components_;
};

}  // namespace artel::sim
