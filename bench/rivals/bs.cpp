// BS::thread_pool: one queue under a mutex.
#include <BS_thread_pool.hpp>
#include <utility>

#include "bench/rivals/rivals.hpp"

namespace artel::bench {
namespace {

class BsPool {
 public:
  explicit BsPool(unsigned workers) : pool_(workers) {}

  template <class F>
  void post(F&& fn) {
    pool_.detach_task(std::forward<F>(fn));
  }
  template <class F>
  auto submit(F&& fn) {
    return pool_.submit_task(std::forward<F>(fn));
  }

 private:
  BS::light_thread_pool pool_;
};

}  // namespace

Rival bs_rival() {
  return {.name = "bs", .run = every_workload([](unsigned workers) { return BsPool(workers); })};
}

}  // namespace artel::bench
