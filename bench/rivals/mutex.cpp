// A queue under a mutex, a condition variable, std::function: what people write first.
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/rivals/rivals.hpp"

namespace artel::bench {
namespace {

class MutexPool {
 public:
  explicit MutexPool(unsigned workers) {
    for (unsigned i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  MutexPool(const MutexPool&) = delete;
  MutexPool& operator=(const MutexPool&) = delete;
  ~MutexPool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    filled_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

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

}  // namespace

Rival mutex_rival() {
  return {.name = "mutex",
          .run = every_workload([](unsigned workers) { return MutexPool(workers); })};
}

}  // namespace artel::bench
