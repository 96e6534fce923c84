#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// Which pending events a crash or a removal has cancelled.
///
///  1  An event is cut if it was created up to the number that its receiver or sender has for it.
///  2  Events that are cut are due to be looked for when as many others have been created since as
///     were pending then: a crash costs nothing for each of them, nor do they stay for long.
/// Cost: O(1) per question and crash, O(pending) to look for them.
class EventCuts {
 public:
  /// Cut are the events created up to these numbers …
  struct Cut {
    std::uint64_t incoming = 0;   ///< … to the component
    std::uint64_t outgoing = 0;   ///< … from it
    std::uint64_t to_itself = 0;  ///< … from it to itself
  };
  /// So many events have been created so far, and are pending.
  void add(ComponentId id, const Cut& cut, std::uint64_t created, std::size_t pending);
  [[nodiscard]] bool any() const { return !ids_.empty(); }
  [[nodiscard]] bool has(const Event& event) const;
  [[nodiscard]] bool due(std::uint64_t created) const { return any() && created >= sweep_at_; }
  /// No event is cut from now on.
  void clear();

 private:
  [[nodiscard]] Cut of(ComponentId id) const;

  std::vector<Cut> cuts_;         // by id
  std::vector<ComponentId> ids_;  // those that have one
  std::uint64_t sweep_at_ = 0;    // when so many events have been created
};

}  // namespace artel::sim::detail
