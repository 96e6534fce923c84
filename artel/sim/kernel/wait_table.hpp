#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"

namespace artel::sim {

/// The waits for events of all components that have more than one, by destination, type, source and
/// key. Chains are in order of arrival. Cost: O(1) expected.
class WaitTable {
 public:
  void insert(EventWait& wait);
  void remove(EventWait& wait);

  /// The wait that gets this event, see Next; nullptr when there is none.
  [[nodiscard]] EventWait* find(const Event& event) const;

 private:
  struct Chain {
    EventWait* front = nullptr;
    EventWait* back = nullptr;
  };

  /// How specific a wait is; the most specific first.
  static std::size_t kind(bool with_key, bool with_src) {
    return (with_key ? 0U : 2U) + (with_src ? 0U : 1U);
  }
  [[nodiscard]] static std::size_t kind_of(const EventWait& wait);
  [[nodiscard]] std::size_t place(const EventWait& wait) const;
  [[nodiscard]] EventWait* find_in(const Event& event, bool with_key, std::uint64_t key,
                                   bool with_src) const;
  void append(EventWait& wait);
  void grow();

  std::vector<Chain> chains_ = std::vector<Chain>(16);
  std::size_t size_ = 0;
  std::array<std::size_t, 4> of_kind_{};  // how many there are: no look-up for kinds not in use
};

}  // namespace artel::sim
