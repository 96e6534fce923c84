#include "artel/sim/kernel/detail/event_cuts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/sim/kernel/detail/process_wake.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

void EventCuts::add(ComponentId id, const Cut& cut, std::uint64_t created, std::size_t pending) {
  constexpr std::size_t kFewest = 64;
  if (!any()) sweep_at_ = created + std::max(pending, kFewest);
  if (cuts_.size() <= index(id)) cuts_.resize(index(id) + 1);
  Cut& known = cuts_[index(id)];
  if (known.incoming == 0 && known.outgoing == 0 && known.to_itself == 0) ids_.push_back(id);
  known = {std::max(known.incoming, cut.incoming), std::max(known.outgoing, cut.outgoing),
           std::max(known.to_itself, cut.to_itself)};
}

EventCuts::Cut EventCuts::of(ComponentId id) const {
  return index(id) < cuts_.size() ? cuts_[index(id)] : Cut{};
}

bool EventCuts::has(const Event& event) const {
  if (!any() || is_own(event.type())) return false;
  const std::uint64_t number = event.number();
  const Cut dst = of(event.dst());
  return number <= dst.incoming || number <= of(event.src()).outgoing ||
         (event.src() == event.dst() && number <= dst.to_itself);
}

void EventCuts::clear() {
  for (const ComponentId id : std::exchange(ids_, {})) cuts_[index(id)] = {};
}

}  // namespace artel::sim::detail
