// oneTBB: a task_group in an arena of as many threads as the others have workers; the submitter
// does not take part. Its allocator is its own, so its memory cannot be asked for.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <future>
#include <type_traits>
#include <utility>

#include "bench/rivals/rivals.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {
namespace {

// Without this there are never more workers than processors but one, whatever the arenas ask for.
constexpr unsigned kThreadsMax = 256;

class TbbPool {
 public:
  explicit TbbPool(unsigned workers) : arena_(static_cast<int>(workers), 0) {}
  TbbPool(const TbbPool&) = delete;
  TbbPool& operator=(const TbbPool&) = delete;
  ~TbbPool() { group_.wait(); }

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

 private:
  template <class F, class T>
  struct Promising {
    F fn;
    mutable std::promise<T> promise;  // oneTBB calls tasks through a const reference
    void operator()() const { promise.set_value(fn()); }
  };

  tbb::global_control threads_{tbb::global_control::max_allowed_parallelism, kThreadsMax};
  tbb::task_arena arena_;
  tbb::task_group group_;
};

int fib(int n) {
  if (n < 2) return n;
  int left = 0;
  tbb::task_group group;
  group.run([&left, n] { left = fib(n - 1); });
  const int right = fib(n - 2);
  group.wait();
  return left + right;
}

}  // namespace

Rival tbb_rival() {
  return {.name = "tbb",
          .run = every_workload([](unsigned workers) { return TbbPool(workers); }),
          .fib =
              [](const Fib& what) {
                tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                            kThreadsMax);
                tbb::task_arena arena(static_cast<int>(what.workers));  // the caller is one of them
                return what.run([&] { return arena.execute([&] { return fib(what.n); }); });
              },
          .on_heap = false};
}

}  // namespace artel::bench
