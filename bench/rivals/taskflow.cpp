// Taskflow's tf::Executor, with tasks that belong to no graph.
#include <taskflow/taskflow.hpp>
#include <utility>

#include "bench/rivals/rivals.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {
namespace {

class TaskflowPool {
 public:
  explicit TaskflowPool(unsigned workers) : executor_(workers) {}

  template <class F>
  void post(F&& fn) {
    executor_.silent_async(std::forward<F>(fn));
  }
  template <class F>
  auto submit(F&& fn) {
    return executor_.async(std::forward<F>(fn));
  }

 private:
  tf::Executor executor_;
};

int fib(tf::Executor& executor, int n) {
  if (n < 2) return n;
  int left = 0;
  tf::TaskGroup group = executor.task_group();
  group.silent_async([&] { left = fib(executor, n - 1); });
  const int right = fib(executor, n - 2);
  group.corun();
  return left + right;
}

}  // namespace

Rival taskflow_rival() {
  return {.name = "taskflow",
          .run = every_workload([](unsigned workers) { return TaskflowPool(workers); }),
          .fib = [](const Fib& what) {
            tf::Executor executor(what.workers);
            return what.run(
                [&] { return executor.async([&] { return fib(executor, what.n); }).get(); });
          }};
}

}  // namespace artel::bench
