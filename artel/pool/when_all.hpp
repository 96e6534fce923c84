#pragma once

#include <atomic>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/pool/detail/combined_node.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool {

namespace detail {

/// The node of when_all(); `Futures` is a vector or a tuple of Futures.
template <class Futures>
class AllNode final : public CombinedNode<Futures> {
 public:
  static Future<Futures> make(Futures futures) {
    return (new AllNode(std::move(futures)))->start();
  }

 private:
  explicit AllNode(Futures futures)
      : CombinedNode<Futures>(nodes_of(futures)),
        futures_(std::move(futures)),
        missing_(this->size()) {}

  Continuation* input_ready(std::size_t /*index*/) override {
    if (missing_.fetch_sub(1) != 1) return nullptr;
    this->store_call([this] { return std::move(futures_); });
    return this->publish_first();
  }
  void add_inputs(std::vector<NodePtr<FutureNode>>& to) override { this->add_missing(to); }

  Futures futures_;
  std::atomic<std::size_t> missing_;
};

}  // namespace detail

/// The Future of all these Futures, ready when the last of them is. None: ready at once.
///
/// A task that waits for it runs those that are still queued at its own pool. Errors and exceptions
/// stay in their Futures.
/// Cost: one allocation or two.
template <class T>
Future<std::vector<Future<T>>> when_all(std::vector<Future<T>> futures) {
  if (!futures.empty()) return detail::AllNode<std::vector<Future<T>>>::make(std::move(futures));
  Promise<std::vector<Future<T>>> none;
  auto result = none.future();
  none.set_value();
  return result;
}
/// The same for Futures of any types: `auto [a, b] = when_all(pool.submit(f),
/// pool.submit(g)).get();`
template <class... T>
  requires(sizeof...(T) > 0)
Future<std::tuple<Future<T>...>> when_all(Future<T>... futures) {
  return detail::AllNode<std::tuple<Future<T>...>>::make(std::tuple(std::move(futures)...));
}

}  // namespace artel::pool
