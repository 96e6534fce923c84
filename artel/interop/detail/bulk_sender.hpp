#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexec/execution.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#include "artel/interop/detail/pool_turn.hpp"
#include "artel/pool/pool.hpp"

namespace artel::interop::detail {

/// A loop over [0, shape) in tasks of a pool; every one of them calls `fn(begin, end, values…)`.
template <class Shape, class Fn, class... Values>
struct BulkWork {
  pool::Pool* pool;
  Shape shape;
  Fn fn;
  std::tuple<Values&...> values;
};

/// A BulkWork under way.
///
/// Invariant: left_ counts the tasks that have neither ended nor been dropped; whoever takes the
/// last one completes the receiver, and sees what the others wrote (release, acquire on left_).
template <class Receiver, class Shape, class Fn, class... Values>
class BulkOperation {
 public:
  using operation_state_concept = stdexec::operation_state_t;

  BulkOperation(BulkWork<Shape, Fn, Values...> work, Receiver receiver)
      : work_(std::move(work)), receiver_(std::move(receiver)) {}
  BulkOperation(BulkOperation&&) = delete;

  void start() & noexcept {
    // A worker that comes late costs a quarter of its share.
    constexpr std::size_t kChunksPerWorker = 4;
    const auto shape = static_cast<std::size_t>(std::max(work_.shape, Shape{}));
    const std::size_t chunks = std::min(shape, kChunksPerWorker * work_.pool->size());
    if (chunks == 0) return complete();
    chunks_ = chunks;
    left_.store(chunks);
    pool::Pool& pool = *work_.pool;
    // The last one may end us; not the pool, whose worker this is.
    for (std::size_t i = 0; i < chunks; ++i) post_turn(pool, *this);
  }

 private:
  friend class PoolTurn<BulkOperation>;

  void run() noexcept {
    if (stdexec::get_stop_token(stdexec::get_env(receiver_)).stop_requested()) return dropped();
    const std::size_t i = next_++;
    try {
      std::apply([&](auto&... values) { work_.fn(edge(i), edge(i + 1), values...); }, work_.values);
    } catch (...) {
      if (!failed_.exchange(true)) exception_ = std::current_exception();
    }
    end_turn();
  }
  void dropped() noexcept {
    stopped_.store(true);
    end_turn();
  }
  void end_turn() noexcept {
    if (left_.fetch_sub(1) == 1) complete();
  }

  // Where chunk i begins: the first ones are longer by one.
  [[nodiscard]] Shape edge(std::size_t i) const {
    const auto shape = static_cast<std::size_t>(work_.shape);
    return static_cast<Shape>(i * (shape / chunks_) + std::min(i, shape % chunks_));
  }

  void complete() noexcept {
    if (exception_) {
      stdexec::set_error(std::move(receiver_), std::move(exception_));
    } else if (stopped_) {
      stdexec::set_stopped(std::move(receiver_));
    } else {
      std::apply(
          [&](auto&... values) { stdexec::set_value(std::move(receiver_), std::move(values)...); },
          work_.values);
    }
  }

  BulkWork<Shape, Fn, Values...> work_;
  Receiver receiver_;
  std::size_t chunks_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> left_ = 0;
  std::atomic<bool> failed_ = false;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr exception_;
};

/// The sender of a BulkWork; passes the values on.
template <class Scheduler, class Shape, class Fn, class... Values>
class BulkSender {
 public:
  using sender_concept = stdexec::sender_t;
  using completion_signatures =
      stdexec::completion_signatures<stdexec::set_value_t(Values...),
                                     stdexec::set_error_t(std::exception_ptr),
                                     stdexec::set_stopped_t()>;

  BulkSender(Scheduler scheduler, BulkWork<Shape, Fn, Values...> work)
      : scheduler_(scheduler), work_(std::move(work)) {}

  template <stdexec::receiver Receiver>
  [[nodiscard]] auto connect(Receiver receiver) && {
    return BulkOperation<Receiver, Shape, Fn, Values...>(std::move(work_), std::move(receiver));
  }
  [[nodiscard]] Scheduler get_env() const noexcept { return scheduler_; }

 private:
  Scheduler scheduler_;
  BulkWork<Shape, Fn, Values...> work_;
};

/// For let_value: from the values of the sender before it to the BulkSender.
template <class Tag, class Scheduler, class Shape, class Fn>
auto start_bulk(Scheduler scheduler, pool::Pool& pool, Shape shape, Fn fn) {
  return [scheduler, &pool, shape, fn = std::move(fn)]<class... Values>(Values&... values) mutable {
    if constexpr (std::is_same_v<Tag, stdexec::bulk_chunked_t>) {
      return BulkSender(scheduler, BulkWork<Shape, Fn, Values...>{&pool, shape, std::move(fn),
                                                                  std::tie(values...)});
    } else {
      auto chunked = [fn = std::move(fn)](Shape begin, Shape end, Values&... with) mutable {
        for (; begin != end; ++begin) fn(begin, with...);
      };
      return BulkSender(scheduler, BulkWork<Shape, decltype(chunked), Values...>{
                                       &pool, shape, std::move(chunked), std::tie(values...)});
    }
  };
}

template <class Sender>
concept BulkAlgorithm = std::is_same_v<stdexec::tag_of_t<Sender>, stdexec::bulk_chunked_t> ||
                        std::is_same_v<stdexec::tag_of_t<Sender>, stdexec::bulk_unchunked_t>;

/// A part of a sender, as an rvalue if the whole is one.
template <class Whole, class Part>
using LikeOf =
    std::conditional_t<std::is_lvalue_reference_v<Whole>, Part&, std::remove_reference_t<Part>&&>;

template <class Policy>
constexpr bool kParallel = std::is_same_v<Policy, stdexec::parallel_policy> ||
                           std::is_same_v<Policy, stdexec::parallel_unsequenced_policy>;

}  // namespace artel::interop::detail
