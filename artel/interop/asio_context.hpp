#pragma once

#include <asio/execution.hpp>
#include <asio/execution_context.hpp>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <type_traits>
#include <utility>

#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::interop {

class AsioExecutor;

/// A pool as an execution context of Asio: handlers that are posted to it, those of strands and of
/// operations with its executor, and coroutines run on its workers.
///
///     pool::Pool pool;
///     interop::AsioContext context(pool);
///     asio::post(context.get_executor(), [] { … });
///
/// Cost:     a handler is a task of the pool, and one count up and down.
/// Requires: the pool outlives it. What has been stopped by then runs no handlers: they are
/// destroyed,
///           as by asio::thread_pool after stop().
/// Threads:  any; destroying it is for one thread that is not a worker of the pool.
class AsioContext : public asio::execution_context {
 public:
  using executor_type = AsioExecutor;

  explicit AsioContext(pool::Pool& pool) : pool_(pool) {}
  AsioContext(const AsioContext&) = delete;
  AsioContext& operator=(const AsioContext&) = delete;
  /// Joins.
  ~AsioContext() { join(); }

  [[nodiscard]] AsioExecutor get_executor() noexcept;

  /// Waits until nothing is outstanding: every handler posted here has ended, and nobody holds an
  /// executor that tracks work, as asynchronous operations and coroutines do until they have ended.
  void join() {
    std::unique_lock lock(mutex_);
    nothing_.wait(lock, [this] { return outstanding_.load() == 0; });
  }

 private:
  friend class AsioExecutor;

  // A piece of outstanding work, or none.
  class Work {
   public:
    Work() noexcept = default;
    explicit Work(AsioContext& context) noexcept : context_(&context) { ++context.outstanding_; }
    Work(const Work& other) noexcept : context_(other.context_) {
      if (context_ != nullptr) ++context_->outstanding_;
    }
    Work(Work&& other) noexcept : context_(std::exchange(other.context_, nullptr)) {}
    Work& operator=(const Work& other) noexcept { return *this = Work(other); }
    Work& operator=(Work&& other) noexcept {
      std::swap(context_, other.context_);
      return *this;
    }
    ~Work() {
      if (context_ != nullptr) context_->work_ended();
    }
    explicit operator bool() const noexcept { return context_ != nullptr; }

   private:
    AsioContext* context_ = nullptr;
  };

  // The last one ends under the lock: join() may return right after, and the context be gone.
  void work_ended() noexcept {
    std::size_t outstanding = outstanding_.load();
    while (outstanding > 1) {
      if (outstanding_.compare_exchange_weak(outstanding, outstanding - 1)) return;
    }
    const std::lock_guard lock(mutex_);
    if (--outstanding_ == 0) nothing_.notify_all();
  }

  pool::Pool& pool_;
  std::atomic<std::size_t> outstanding_ = 0;
  std::mutex mutex_;
  std::condition_variable nothing_;
};

/// Runs functions on the workers of a pool; an executor as Asio asks for one.
///
/// Properties: blocking (possibly: on a worker of the pool the function runs at once; never),
/// relationship (noted: what a task posts stays with its worker in any case), outstanding_work
/// (tracked: AsioContext::join waits for this executor), context.
/// Errors:  if the pool is full and may not wait: throws TaskError (full). What the function throws
///          goes to PoolOptions::on_exception.
/// Threads: any; equal if context and properties are.
class AsioExecutor {
 public:
  explicit AsioExecutor(AsioContext& context) noexcept : context_(&context) {}

  /// Where the functions run.
  [[nodiscard]] pool::Pool& pool() const noexcept { return context_->pool_; }

  /// Runs it: on a worker of the pool at once if blocking is possibly, else as a task.
  template <class Function>
  void execute(Function&& function) const {
    if (!never_ && pool().this_worker()) {
      std::decay_t<Function> here(std::forward<Function>(function));
      here();
      return;
    }
    const AsioContext::Work posting(*context_);  // join() ends, and the pool may go, after post()
    const auto admission = pool().post(Posted<std::decay_t<Function>>{
        AsioContext::Work(*context_), std::forward<Function>(function)});
    if (admission == pool::Admission::full) throw pool::TaskError(error_of(admission));
  }

  /// Properties, as Asio asks: query() says what holds, require() makes a copy for which it holds.
  [[nodiscard]] AsioExecutor require(asio::execution::blocking_t::possibly_t /*p*/) const {
    return with([](AsioExecutor& mine) { mine.never_ = false; });
  }
  [[nodiscard]] AsioExecutor require(asio::execution::blocking_t::never_t /*p*/) const {
    return with([](AsioExecutor& mine) { mine.never_ = true; });
  }
  [[nodiscard]] AsioExecutor require(asio::execution::relationship_t::fork_t /*p*/) const {
    return with([](AsioExecutor& mine) { mine.continuation_ = false; });
  }
  [[nodiscard]] AsioExecutor require(asio::execution::relationship_t::continuation_t /*p*/) const {
    return with([](AsioExecutor& mine) { mine.continuation_ = true; });
  }
  [[nodiscard]] AsioExecutor require(asio::execution::outstanding_work_t::tracked_t /*p*/) const {
    return with([](AsioExecutor& mine) {
      if (!mine.work_) mine.work_ = AsioContext::Work(*mine.context_);
    });
  }
  [[nodiscard]] AsioExecutor require(asio::execution::outstanding_work_t::untracked_t /*p*/) const {
    return with([](AsioExecutor& mine) { mine.work_ = {}; });
  }
  [[nodiscard]] AsioContext& query(asio::execution::context_t /*p*/) const noexcept {
    return *context_;
  }
  [[nodiscard]] asio::execution::blocking_t query(
      asio::execution::blocking_t /*p*/) const noexcept {
    if (never_) return asio::execution::blocking.never;
    return asio::execution::blocking.possibly;
  }
  [[nodiscard]] asio::execution::relationship_t query(
      asio::execution::relationship_t /*p*/) const noexcept {
    if (continuation_) return asio::execution::relationship.continuation;
    return asio::execution::relationship.fork;
  }
  [[nodiscard]] asio::execution::outstanding_work_t query(
      asio::execution::outstanding_work_t /*p*/) const noexcept {
    if (work_) return asio::execution::outstanding_work.tracked;
    return asio::execution::outstanding_work.untracked;
  }

  friend bool operator==(const AsioExecutor& a, const AsioExecutor& b) noexcept {
    return a.context_ == b.context_ && a.never_ == b.never_ && a.continuation_ == b.continuation_ &&
           static_cast<bool>(a.work_) == static_cast<bool>(b.work_);
  }

 private:
  // Outstanding until the function is gone.
  template <class Function>
  struct Posted {
    AsioContext::Work work;
    Function function;
    void operator()() { function(); }
  };

  template <class Change>
  [[nodiscard]] AsioExecutor with(const Change& change) const {
    AsioExecutor changed = *this;
    change(changed);
    return changed;
  }

  AsioContext* context_;
  AsioContext::Work work_;     // outstanding_work.tracked
  bool never_ = false;         // blocking.never
  bool continuation_ = false;  // relationship.continuation
};

inline AsioExecutor AsioContext::get_executor() noexcept { return AsioExecutor(*this); }

}  // namespace artel::interop
