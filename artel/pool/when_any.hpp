#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/pool/detail/combined_node.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool {

/// Which of several Futures was ready first, and that Future.
template <class T>
struct First {
  std::size_t index = 0;
  Future<T> future;
};

namespace detail {

/// The node of when_any().
template <class T>
class AnyNode final : public CombinedNode<T, First<T>> {
 public:
  static Future<First<T>> make(std::vector<Future<T>> futures) {
    return (new AnyNode(std::move(futures)))->start();
  }

 private:
  explicit AnyNode(std::vector<Future<T>> futures)
      : CombinedNode<T, First<T>>(std::move(futures)) {}

  void input_ready(std::size_t index) override {
    if (found_.exchange(true)) return;
    this->store_call([&] { return First<T>{index, std::move(this->futures_[index])}; });
    this->publish();
  }
  [[nodiscard]] bool enough() const override { return found_.load(); }

  std::atomic<bool> found_ = false;
};

}  // namespace detail

/// The Future of the first of these to be ready, whether with a value or not. The others go on, and
/// their results are dropped; give them a stop token to end them.
///
/// Requires: at least one.
template <class T>
Future<First<T>> when_any(std::vector<Future<T>> futures) {
  ARTEL_REQUIRE(!futures.empty(), "when_any needs a Future");
  return detail::AnyNode<T>::make(std::move(futures));
}

}  // namespace artel::pool
