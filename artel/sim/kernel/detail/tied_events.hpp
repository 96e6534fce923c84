#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// Events of one time, in order of creation, any of which may be taken next.
///
/// Those that were taken leave their slots, which a Fenwick tree skips: counts_[i] is how many are
/// left of the last `i & -i` slots up to the i-th.
/// Cost: O(log n) each, O(1) amortised to append; memory for twice as many as there are.
class TiedEvents {
 public:
  [[nodiscard]] bool empty() const { return left_ == 0; }
  [[nodiscard]] std::size_t size() const { return left_; }

  /// Requires: the event of that tag was created after all others.
  void append(Event& event, std::uint64_t tag) {
    if (slots_.size() > 2 * left_ + kSlack) close_up();
    slots_.push_back({&event, tag});
    ++left_;
    const std::size_t last = slots_.size();
    std::uint32_t count = 1;
    for (std::size_t i = last - 1; i > last - (last & -last); i -= i & -i) count += counts_[i];
    counts_.push_back(count);
  }

  /// Takes out the one that has so many before it. Requires: place < size().
  Event& take(std::size_t place) {
    std::size_t before = 0;
    for (std::size_t step = std::bit_floor(slots_.size()); step != 0; step /= 2) {
      if (before + step > slots_.size() || counts_[before + step] > place) continue;
      before += step;
      place -= counts_[before];
    }
    Event& event = *slots_[before].event;
    leave(before);
    return event;
  }

  /// Takes out the one of that tag; false if it is not here.
  bool remove(std::uint64_t tag) {
    const auto place =
        std::lower_bound(slots_.begin(), slots_.end(), tag,
                         [](const Slot& slot, std::uint64_t wanted) { return slot.tag < wanted; });
    if (place == slots_.end() || place->tag != tag || place->event == nullptr) return false;
    leave(static_cast<std::size_t>(place - slots_.begin()));
    return true;
  }

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.event != nullptr) visit(*slot.event);
    }
  }

 private:
  struct Slot {
    Event* event;  // nullptr: taken
    std::uint64_t tag;
  };
  static constexpr std::size_t kSlack = 64;

  void leave(std::size_t place) {
    slots_[place].event = nullptr;
    for (std::size_t i = place + 1; i <= slots_.size(); i += i & -i) --counts_[i];
    if (--left_ != 0) return;
    slots_.clear();
    counts_.resize(1);
  }
  void close_up() {
    std::vector<Slot> slots;
    slots.swap(slots_);
    counts_.resize(1);
    left_ = 0;
    for (const Slot& slot : slots) {
      if (slot.event != nullptr) append(*slot.event, slot.tag);
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> counts_{0};  // from 1
  std::size_t left_ = 0;
};

}  // namespace artel::sim::detail
