#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace artel::parallel::detail {

/// In which order the results of chunks are handed over.
enum class Order : std::uint8_t {
  source,      ///< as the items were in the source
  completion,  ///< as they come
};

/// Results of chunks, put by index in any order, taken in order.
///
/// Memory: a place for every index between the next one to take and the highest that was put.
/// Threads: one at a time.
template <class Output>
class ResultStore {
 public:
  explicit ResultStore(Order order) : order_(order) {}

  /// Requires: every index once.
  void put(std::uint64_t index, Output output) {
    if (order_ == Order::completion) {
      places_.emplace_back(std::move(output));
      return;
    }
    const auto at = static_cast<std::size_t>(index - next_);
    if (at >= places_.size()) places_.resize(at + 1);
    places_[at] = std::move(output);
  }

  /// Nothing: the next one is not there yet.
  std::optional<Output> take() {
    if (places_.empty() || !places_.front()) return std::nullopt;
    std::optional<Output> output = std::move(places_.front());
    places_.pop_front();
    ++next_;
    return output;
  }

  /// How many were taken; in order of the source: the index of the next.
  [[nodiscard]] std::uint64_t taken() const { return next_; }
  [[nodiscard]] bool empty() const { return places_.empty(); }
  void clear() { places_.clear(); }

 private:
  Order order_;
  std::uint64_t next_ = 0;
  std::deque<std::optional<Output>> places_;
};

}  // namespace artel::parallel::detail
