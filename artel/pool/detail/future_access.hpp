#pragma once

#include <utility>

#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool::detail {

/// What the inside of the pool may do with Futures, and their users may not.
struct FutureAccess {
  template <class T>
  [[nodiscard]] static Future<T> make(NodePtr<ValueNode<T>> node) {
    return Future<T>(std::move(node));
  }
  template <class T>
  [[nodiscard]] static FutureNode& node(const Future<T>& future) {
    return future.node();
  }
};

}  // namespace artel::pool::detail
