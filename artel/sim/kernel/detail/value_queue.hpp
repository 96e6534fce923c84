#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace artel::sim::detail {

/// Values in the order in which they came: a ring that doubles when it is full and does not shrink.
/// Cost: O(1) amortised, no allocation once it has held the most that it ever will.
template <class T>
class ValueQueue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  void push_back(T value) {
    if (size_ == slots_.size()) grow();
    slot(size_).emplace(std::move(value));
    ++size_;
  }

  /// Removes the first. Requires: not empty.
  [[nodiscard]] T pop_front() {
    std::optional<T> value = std::exchange(slot(0), std::nullopt);
    ++front_;
    --size_;
    return std::move(*value);  // NOLINT(bugprone-unchecked-optional-access): not empty
  }

 private:
  [[nodiscard]] std::optional<T>& slot(std::size_t place) {
    return slots_[(front_ + place) & (slots_.size() - 1)];
  }
  void grow() {
    std::vector<std::optional<T>> larger(slots_.empty() ? 4 : 2 * slots_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move(slot(i));
    slots_ = std::move(larger);
    front_ = 0;
  }

  std::vector<std::optional<T>> slots_;  // a power of two
  std::size_t front_ = 0;
  std::size_t size_ = 0;
};

}  // namespace artel::sim::detail
