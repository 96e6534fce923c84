#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "artel/pool/detail/combined_node.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool {

namespace detail {

/// The node of when_all().
template <class T>
class AllNode final : public CombinedNode<T, std::vector<Future<T>>> {
 public:
  static Future<std::vector<Future<T>>> make(std::vector<Future<T>> futures) {
    return (new AllNode(std::move(futures)))->start();
  }

 private:
  explicit AllNode(std::vector<Future<T>> futures)
      : CombinedNode<T, std::vector<Future<T>>>(std::move(futures)),
        missing_(this->futures_.size()) {}

  void input_ready(std::size_t /*index*/) override {
    if (missing_.fetch_sub(1) != 1) return;
    this->store_call([this] { return std::move(this->futures_); });
    this->publish();
  }
  [[nodiscard]] bool enough() const override { return missing_.load() == 0; }

  std::atomic<std::size_t> missing_;
};

}  // namespace detail

/// The Future of all these Futures, ready when the last of them is. None: ready at once.
///
/// Waiting for it runs those that are still queued. Errors and exceptions stay in their Futures.
/// Cost: one allocation or two.
template <class T>
Future<std::vector<Future<T>>> when_all(std::vector<Future<T>> futures) {
  if (!futures.empty()) return detail::AllNode<T>::make(std::move(futures));
  Promise<std::vector<Future<T>>> none;
  auto result = none.future();
  none.set_value();
  return result;
}

}  // namespace artel::pool
