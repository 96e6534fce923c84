#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::pool {
namespace detail {

template <class Fn, class T>
inline constexpr bool kTakesValue = std::is_invocable_v<Fn, T>;
template <class Fn>
inline constexpr bool kTakesValue<Fn, void> = std::is_invocable_v<Fn>;

/// What `fn` makes of the value of a Future<T>, or of the Future.
template <class T, class Fn>
struct Applied {
  static_assert(kTakesValue<Fn, T> || std::is_invocable_v<Fn, Future<T>>,
                "a continuation takes the value of the Future, or the Future itself");
  using Type = typename std::conditional_t<
      kTakesValue<Fn, T>,
      std::conditional_t<std::is_void_v<T>, std::invoke_result<Fn>, std::invoke_result<Fn, T>>,
      std::invoke_result<Fn, Future<T>>>::type;
};
template <class T, class Fn>
using AppliedTo = typename Applied<T, Fn>::Type;

/// Where continuations without an executor run: right there.
struct NoExecutor {};

/// Of the Future that then() makes: waits for `from_`, which keeps this one alive until then.
template <class T, class Fn, class Executor>
class ThenNode final : public ValueNode<AppliedTo<T, Fn>>, private Continuation {
 public:
  using U = AppliedTo<T, Fn>;

  static Future<U> start(Future<T> from, Executor* executor, auto&& fn) {
    NodePtr<ThenNode> self(new ThenNode(std::move(from), executor, std::forward<decltype(fn)>(fn)));
    auto future = FutureAccess::make(NodePtr<ValueNode<U>>::share(self.get()));
    ThenNode* const node = self.release();  // the reference of `from`
    FutureNode& upstream = FutureAccess::node(node->from_);
    upstream.add_reference();
    node->upstream_.store(&upstream);
    if (!upstream.attach(*node)) call(node);
    return future;
  }

 private:
  template <class Given>
  ThenNode(Future<T> from, Executor* executor, Given&& fn)
      : from_(std::move(from)), fn_(std::forward<Given>(fn)), executor_(executor) {}
  ~ThenNode() override { drop_upstream(); }

  Continuation* ready() override {
    drop_upstream();
    if constexpr (std::is_same_v<Executor, NoExecutor>) {
      return run();
    } else {
      return post();
    }
  }

  // The task of an executor, which may refuse it, and may drop it.
  struct PostedCall {
    NodePtr<ThenNode> node;

    explicit PostedCall(ThenNode* self) : node(self) {}
    PostedCall(PostedCall&&) noexcept = default;
    PostedCall& operator=(PostedCall&&) = delete;
    ~PostedCall() {
      if (node) call(node.release()->refused(not_run_by_executor()));
    }
    void operator()() { call(node.release()->run()); }
  };

  Continuation* post() {
    try {
      static_cast<void>(executor_->post(PostedCall(this)));
    } catch (...) {  // NOLINT(bugprone-empty-catch): no memory; the call has ended it
    }
    return nullptr;
  }

  // Each of these ends it: the reference of `from_` is given up.
  Continuation* run() {
    if constexpr (kTakesValue<Fn, T>) {
      ValueNode<T>& from = FutureAccess::node(from_);
      if (auto error = from.error()) return refused(std::move(*error));
      if (auto exception = from.take_exception()) {
        this->store_exception(std::move(exception));
        return end();
      }
    }
    this->store_call([this]() -> U {
      if constexpr (!kTakesValue<Fn, T>) {
        return std::invoke(std::move(*fn_), std::move(from_));
      } else if constexpr (std::is_void_v<T>) {
        from_.get();
        return std::invoke(std::move(*fn_));
      } else {
        return std::invoke(std::move(*fn_), from_.get());
      }
    });
    return end();
  }
  Continuation* refused(Error error) {
    this->store_error(std::move(error));
    return end();
  }
  Continuation* end() {
    from_ = {};
    fn_.reset();
    Continuation* const next = this->publish_first();
    this->release();
    return next;
  }

  void add_inputs(std::vector<NodePtr<FutureNode>>& to) override {
    if (FutureNode* const upstream = upstream_.exchange(nullptr)) to.emplace_back(upstream);
  }
  void drop_upstream() {
    if (FutureNode* const upstream = upstream_.exchange(nullptr)) upstream->release();
  }

  Future<T> from_;
  std::optional<Fn> fn_;
  [[no_unique_address]] Executor* executor_;
  std::atomic<FutureNode*> upstream_ = nullptr;  // for whoever waits here: what to run
};

/// Of the Future that unwrap() makes: waits for the outer Future, then for the inner one.
///
/// Whoever unwraps a node of this kind waits in its place as soon as that has got its inner Future
/// (stands_for()), and that one goes. So a loop whose every turn returns the Future of the next
/// holds two or three of them, however long it runs, and its end meets one.
template <class T>
class UnwrapNode final : public ValueNode<T>, private Continuation {
 public:
  static Future<T> start(Future<Future<T>> from) {
    auto* const node = new UnwrapNode(std::move(from));
    auto future = FutureAccess::make(NodePtr<ValueNode<T>>::share(node));
    if (!FutureAccess::node(node->outer_).attach(*node)) call(node);
    return future;
  }

 private:
  explicit UnwrapNode(Future<Future<T>> from) : outer_(std::move(from)) {}

  Continuation* ready() override { return outer_.valid() ? outer_ready() : inner_ready(); }
  FutureNode* stands_for() override { return outer_.valid() ? nullptr : this; }

  Continuation* outer_ready() {
    Future<Future<T>> outer = std::move(outer_);
    Future<T> inner;
    try {
      inner = outer.get();
      static_cast<void>(FutureAccess::node(inner));  // it has one
    } catch (...) {
      this->store_current_exception();
      return end();
    }
    return wait_for(this, std::move(inner));
  }
  // By the one thread that may make `self` ready.
  static Continuation* wait_for(UnwrapNode* self, Future<T> inner) {
    while (auto* const above = taken_by(*self)) {
      const Future<T> given_up = std::move(above->inner_);  // that of `self`
      self->release();                                      // its own reference
      self = above;
    }
    self->inner_ = std::move(inner);
    if (FutureAccess::node(self->inner_).attach(*self)) return nullptr;
    return self->inner_ready();
  }
  static UnwrapNode* taken_by(const UnwrapNode& self) {
    Continuation* const waiting = self.attached();
    return waiting == nullptr ? nullptr : static_cast<UnwrapNode*>(waiting->stands_for());
  }
  Continuation* inner_ready() {
    this->store_result_of(FutureAccess::node(inner_));
    inner_ = {};
    return end();
  }
  Continuation* end() {
    Continuation* const next = this->publish_first();
    this->release();
    return next;
  }

  Future<Future<T>> outer_;
  Future<T> inner_;
};

template <class T, class Executor, class Fn>
auto make_then(Future<T> from, Executor* executor, Fn&& fn) {
  using Node = ThenNode<T, std::decay_t<Fn>, Executor>;
  auto future = Node::start(std::move(from), executor, std::forward<Fn>(fn));
  if constexpr (kIsFuture<typename Node::U>) {
    return future.unwrap();
  } else {
    return future;
  }
}

}  // namespace detail

template <class T>
template <class Fn>
auto Future<T>::then(Fn&& fn) {
  static_cast<void>(node());
  return detail::make_then<T, detail::NoExecutor>(std::move(*this), nullptr, std::forward<Fn>(fn));
}

template <class T>
template <class Executor, class Fn>
auto Future<T>::then(Executor& executor, Fn&& fn) {
  static_cast<void>(node());
  return detail::make_then(std::move(*this), &executor, std::forward<Fn>(fn));
}

template <class T>
auto Future<T>::unwrap()
  requires detail::kIsFuture<T>
{
  static_cast<void>(node());
  return detail::UnwrapNode<typename T::Value>::start(std::move(*this));
}

}  // namespace artel::pool
