// dp::thread_pool: a queue per worker, with stealing.
#include <thread_pool/thread_pool.h>

#include <utility>

#include "bench/rivals/rivals.hpp"

namespace artel::bench {
namespace {

class DpPool {
 public:
  explicit DpPool(unsigned workers) : pool_(workers) {}

  template <class F>
  void post(F&& fn) {
    pool_.enqueue_detach(std::forward<F>(fn));
  }
  template <class F>
  auto submit(F&& fn) {
    return pool_.enqueue(std::forward<F>(fn));
  }

 private:
  dp::thread_pool<> pool_;
};

}  // namespace

Rival dp_rival() {
  return {.name = "dp", .run = every_workload([](unsigned workers) { return DpPool(workers); })};
}

}  // namespace artel::bench
