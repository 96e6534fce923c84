#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "artel/pool/detail/future_access.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool::detail {

/// The inputs of when_all() and when_any(), each with a continuation of its own. Lives until every
/// one of them was ready.
template <class T, class Result>
class CombinedNode : public ValueNode<Result> {
 protected:
  explicit CombinedNode(std::vector<Future<T>> futures) : futures_(std::move(futures)) {
    inputs_.reserve(futures_.size());
    for (std::size_t i = 0; i < futures_.size(); ++i) inputs_.emplace_back(*this, i);
  }

  // Takes over the reference of the caller. The inputs may be ready, and the result, before it
  // returns.
  Future<Result> start() {
    auto result = FutureAccess::make(NodePtr<ValueNode<Result>>::share(this));
    for (auto& input : inputs_) {
      this->add_reference();
      if (!input.node->attach(input)) input.ready();
    }
    this->release();
    return result;
  }

  virtual void input_ready(std::size_t index) = 0;
  [[nodiscard]] virtual bool enough() const = 0;

  std::vector<Future<T>> futures_;

 private:
  struct Input final : Continuation {
    Input(CombinedNode& to, std::size_t slot)
        : combined(&to),
          index(slot),
          node(NodePtr<FutureNode>::share(&FutureAccess::node(to.futures_[slot]))) {}

    void ready() override {
      combined->input_ready(index);
      combined->release();
    }

    CombinedNode* combined;
    std::size_t index;
    NodePtr<FutureNode> node;
  };

  void help() override {
    for (auto& input : inputs_) {
      if (enough()) return;
      input.node->help_here();
    }
  }

  std::vector<Input> inputs_;
};

}  // namespace artel::pool::detail
