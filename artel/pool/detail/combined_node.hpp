#pragma once

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool::detail {

/// Of the Futures that when_all() and when_any() make: hears of each of its inputs. Lives until
/// every one of them was ready.
template <class Outcome>
class CombinedNode : public ValueNode<Outcome> {
 protected:
  /// Requires: the inputs are kept by somebody until they are ready; here, most often.
  explicit CombinedNode(const std::vector<FutureNode*>& inputs) {
    inputs_.reserve(inputs.size());
    for (FutureNode* const node : inputs) inputs_.emplace_back(*this, inputs_.size(), node);
  }

  // Takes over the reference of the caller. The inputs may be ready, and the result, before it
  // returns.
  Future<Outcome> start() {
    auto result = FutureAccess::make(NodePtr<ValueNode<Outcome>>::share(this));
    for (Input& input : inputs_) {
      this->add_reference();
      if (!input.node->attach(input)) call(&input);
    }
    this->release();
    return result;
  }

  /// The input is ready. Returns what is to be called next, as Continuation::ready().
  virtual Continuation* input_ready(std::size_t index) = 0;

  [[nodiscard]] std::size_t size() const { return inputs_.size(); }
  /// Those that are not ready.
  void add_missing(std::vector<NodePtr<FutureNode>>& to) const {
    for (const Input& input : inputs_) {
      if (!input.node->ready()) to.push_back(NodePtr<FutureNode>::share(input.node.get()));
    }
  }

 private:
  struct Input final : Continuation {
    Input(CombinedNode& to, std::size_t position, FutureNode* input)
        : combined(&to), index(position), node(NodePtr<FutureNode>::share(input)) {}

    Continuation* ready() override {
      Continuation* const next = combined->input_ready(index);
      combined->release();
      return next;
    }

    CombinedNode* combined;
    std::size_t index;
    NodePtr<FutureNode> node;
  };

  std::vector<Input> inputs_;
};

/// The nodes of several Futures.
template <class T>
std::vector<FutureNode*> nodes_of(const std::vector<Future<T>>& futures) {
  std::vector<FutureNode*> nodes;
  nodes.reserve(futures.size());
  for (const Future<T>& future : futures) nodes.push_back(&FutureAccess::node(future));
  return nodes;
}
template <class... T>
std::vector<FutureNode*> nodes_of(const std::tuple<Future<T>...>& futures) {
  return std::apply(
      [](const auto&... each) { return std::vector<FutureNode*>{&FutureAccess::node(each)...}; },
      futures);
}

}  // namespace artel::pool::detail
