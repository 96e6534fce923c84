#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool {

/// Which of several Futures was ready first, and that Future.
template <class T>
struct First {
  std::size_t index = 0;
  Future<T> future;
};

/// The inputs of all_of() and any_of(), each with a continuation of its own. Lives until every one
/// of them was ready.
template <class T, class Result>
class CombinedNode : public detail::ValueNode<Result> {
 protected:
  explicit CombinedNode(std::vector<Future<T>> futures) : futures_(std::move(futures)) {
    inputs_.reserve(futures_.size());
    for (std::size_t i = 0; i < futures_.size(); ++i) inputs_.emplace_back(*this, i);
  }

  // Takes over the reference of the caller. The inputs may be ready, and the result, before it
  // returns.
  Future<Result> start() {
    Future<Result> result(detail::NodePtr<detail::ValueNode<Result>>::share(this));
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
  struct Input final : detail::Continuation {
    Input(CombinedNode& to, std::size_t slot)
        : combined(&to),
          index(slot),
          node(detail::NodePtr<detail::FutureNode>::share(&to.futures_[slot].node())) {}

    void ready() override {
      combined->input_ready(index);
      combined->release();
    }

    CombinedNode* combined;
    std::size_t index;
    detail::NodePtr<detail::FutureNode> node;
  };

  void help() override {
    for (auto& input : inputs_) {
      if (enough()) return;
      input.node->help_here();
    }
  }

  std::vector<Input> inputs_;
};

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

/// The Future of all these Futures, ready when the last of them is. None: ready at once.
///
/// Waiting for it runs those that are still queued. Errors and exceptions stay in their Futures.
/// Cost: one allocation or two.
template <class T>
Future<std::vector<Future<T>>> all_of(std::vector<Future<T>> futures) {
  if (!futures.empty()) return AllNode<T>::make(std::move(futures));
  Promise<std::vector<Future<T>>> none;
  auto result = none.future();
  none.set_value();
  return result;
}

/// The Future of the first of these to be ready, whether with a value or not. The others go on, and
/// their results are dropped; give them a stop token to end them.
///
/// Requires: at least one.
template <class T>
Future<First<T>> any_of(std::vector<Future<T>> futures) {
  ARTEL_REQUIRE(!futures.empty(), "any_of needs a Future");
  return AnyNode<T>::make(std::move(futures));
}

}  // namespace artel::pool
