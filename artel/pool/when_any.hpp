#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/pool/detail/combined_node.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool {

/// Which of several Futures was ready first, and that Future.
template <class T>
struct First {
  std::size_t index = 0;  ///< in the order in which they were given
  Future<T> future;       ///< ready
};

namespace detail {

template <class T>
First<T> take_first(std::vector<Future<T>>& futures, std::size_t index) {
  return {index, std::move(futures[index])};
}

/// The same of a tuple: the alternative says which.
template <class... T, std::size_t... I>
std::variant<Future<T>...> take_first(std::tuple<Future<T>...>& futures, std::size_t index,
                                      std::index_sequence<I...> /*positions*/) {
  std::optional<std::variant<Future<T>...>> first;
  const auto take = [&]<std::size_t K>(std::integral_constant<std::size_t, K> /*position*/) {
    if (K == index) first.emplace(std::in_place_index<K>, std::move(std::get<K>(futures)));
  };
  (take(std::integral_constant<std::size_t, I>()), ...);
  return std::move(*first);  // NOLINT(bugprone-unchecked-optional-access): one of them matched
}
template <class... T>
std::variant<Future<T>...> take_first(std::tuple<Future<T>...>& futures, std::size_t index) {
  return take_first(futures, index, std::index_sequence_for<T...>());
}

/// The node of when_any(); `Futures` is a vector or a tuple of Futures.
template <class Futures>
class AnyNode final
    : public CombinedNode<decltype(take_first(std::declval<Futures&>(), std::size_t{}))> {
 public:
  using Taken = decltype(take_first(std::declval<Futures&>(), std::size_t{}));

  static Future<Taken> make(Futures futures) { return (new AnyNode(std::move(futures)))->start(); }

 private:
  explicit AnyNode(Futures futures)
      : CombinedNode<Taken>(nodes_of(futures)), futures_(std::move(futures)) {}

  Continuation* input_ready(std::size_t index) override {
    if (found_.exchange(true)) return nullptr;
    this->store_call([&] { return take_first(futures_, index); });
    return this->publish_first();
  }

  Futures futures_;
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
  return detail::AnyNode<std::vector<Future<T>>>::make(std::move(futures));
}
/// The same for Futures of any types: a variant of them, whose index says which was first.
template <class... T>
  requires(sizeof...(T) > 0)
Future<std::variant<Future<T>...>> when_any(Future<T>... futures) {
  return detail::AnyNode<std::tuple<Future<T>...>>::make(std::tuple(std::move(futures)...));
}

}  // namespace artel::pool
