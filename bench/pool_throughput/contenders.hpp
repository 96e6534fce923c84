#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <asio/post.hpp>
#include <asio/thread_pool.hpp>
#include <asio/use_future.hpp>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "artel/pool/pool.hpp"

// The pools under comparison behind one shape: a constructor that takes the number of workers,
// post(fn), submit(fn) -> something with get(), and finish(), which waits for everything.

namespace artel::bench {

class ArtelPool {
 public:
  ArtelPool(unsigned workers, dispatch::Policy policy)
      : ArtelPool({.workers = workers, .dispatch = std::move(policy)}) {}
  explicit ArtelPool(pool::PoolOptions options) : pool_(std::move(options)) {}

  template <class F>
  void post(F&& fn) {
    pool_.post(std::forward<F>(fn));
  }
  template <class F>
  auto submit(F&& fn) {
    return pool_.submit(std::forward<F>(fn));
  }
  void finish() { static_cast<void>(pool_.wait_idle()); }

 private:
  pool::Pool pool_;
};

/// A queue under a mutex, a condition variable, std::function: what people write first.
class MutexPool {
 public:
  explicit MutexPool(unsigned workers) {
    for (unsigned i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  MutexPool(const MutexPool&) = delete;
  MutexPool& operator=(const MutexPool&) = delete;
  ~MutexPool() { finish(); }

  template <class F>
  void post(F&& fn) {
    {
      const std::lock_guard lock(mutex_);
      queue_.emplace_back(std::forward<F>(fn));
    }
    filled_.notify_one();
  }
  template <class F>
  auto submit(F&& fn) {
    using T = std::invoke_result_t<F>;
    auto task = std::make_shared<std::packaged_task<T()>>(std::forward<F>(fn));
    auto future = task->get_future();
    post([task] { (*task)(); });
    return future;
  }
  void finish() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    filled_.notify_all();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      filled_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      auto fn = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      fn();
    }
  }

  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::function<void()>> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

class AsioPool {
 public:
  explicit AsioPool(unsigned workers) : pool_(workers) {}

  template <class F>
  void post(F&& fn) {
    asio::post(pool_, std::forward<F>(fn));
  }
  template <class F>
  auto submit(F&& fn) {
    return asio::post(pool_, asio::use_future(std::forward<F>(fn)));
  }
  void finish() { pool_.join(); }

 private:
  asio::thread_pool pool_;
};

/// oneTBB: a task_group in an arena of as many threads as the others have workers; the submitter
/// does not take part.
class TbbPool {
 public:
  explicit TbbPool(unsigned workers)
      : limit_(tbb::global_control::max_allowed_parallelism, workers + 1),
        arena_(static_cast<int>(workers), 0) {}

  template <class F>
  void post(F&& fn) {
    arena_.enqueue(group_.defer(std::forward<F>(fn)));
  }
  template <class F>
  auto submit(F&& fn) {
    using T = std::invoke_result_t<F>;
    Promising<F, T> task{std::forward<F>(fn), {}};
    auto future = task.promise.get_future();
    arena_.enqueue(group_.defer(std::move(task)));
    return future;
  }
  void finish() { group_.wait(); }

 private:
  template <class F, class T>
  struct Promising {
    F fn;
    mutable std::promise<T> promise;  // oneTBB calls tasks through a const reference
    void operator()() const { promise.set_value(fn()); }
  };

  tbb::global_control limit_;
  tbb::task_arena arena_;
  tbb::task_group group_;
};

}  // namespace artel::bench
