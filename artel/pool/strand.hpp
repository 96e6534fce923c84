#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/strand_core.hpp"
#include "artel/pool/detail/task_body.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool {

class Pool;

/// Runs its tasks on a pool one after the other, in the order in which they came: what they share
/// needs no lock.
///
///     pool::Strand account{pool};
///     account.post([&] { balance += 5; });
///     int now = account.submit([&] { return balance; }).get();
///
/// They run on any worker, never two at once, and each sees what those before it did. A strand
/// takes one worker at most, and after about 100 us gives it back and queues behind what waits in
/// the common queue, so that many strands share few workers. It costs nothing while it has no
/// tasks: one per connection, per file, per account is fine.
///
/// A handle: copies are the same strand. Tasks that wait when the last copy goes still run. The
/// pool outlives posting; draining it runs what waits, and cancelling it cancels what has not
/// begun. To the pool a turn of a strand, some of its tasks, is one task. Waiting in a task for a
/// later one of the same strand never ends. Cost:    post about 60 ns, submit about 150 ns. An idle
/// strand some 200 bytes. Threads: any, its own tasks too.
class Strand {
 public:
  /// Tasks that may wait in a strand, unless its maker says otherwise.
  static constexpr std::size_t kQueue = 16'384;

  /// `queue`: tasks that may wait in it, above 0.
  explicit Strand(Pool& pool, std::size_t queue = kQueue)
      : core_(std::make_shared<detail::StrandCore>(pool, queue)) {}

  /// Runs `fn()` after all that came before. When the strand or the pool is full, waits or refuses
  /// as Pool::post() does; a strand's own tasks always get in. What it throws goes to
  /// PoolOptions::on_exception.
  template <class F>
  Admission post(F&& fn) const {
    return core_->push(detail::Job(detail::PlainBody<std::decay_t<F>>{std::forward<F>(fn)}));
  }

  /// The Future of what `fn()` returns; a refused task's holds the Error (full, closed).
  template <class F>
  auto submit(F&& fn) const -> Future<std::invoke_result_t<std::decay_t<F>>> {
    using Fn = std::decay_t<F>;
    using T = std::invoke_result_t<Fn>;
    Promise<T> promise;
    Future<T> future = promise.future();
    const Admission admission = core_->push(
        detail::Job(detail::PromisedBody<T, Fn>{std::move(promise), Fn(std::forward<F>(fn))}));
    if (admission == Admission::accepted) return future;
    return Future<T>::refused(error_of(admission));
  }

  /// Whether the caller is one of its tasks.
  [[nodiscard]] bool running_in_this_thread() const { return core_->running_here(); }
  /// Tasks that wait, without the one that runs.
  [[nodiscard]] std::size_t queued() const { return core_->queued(); }

  friend bool operator==(const Strand&, const Strand&) = default;

 private:
  std::shared_ptr<detail::StrandCore> core_;
};

}  // namespace artel::pool
