// stdexec's exec::static_thread_pool.
#include <atomic>
#include <cstdint>
#include <exec/ensure_started.hpp>
#include <exec/start_detached.hpp>
#include <exec/static_thread_pool.hpp>
#include <memory>
#include <stdexec/execution.hpp>
#include <utility>

#include "bench/rivals/rivals.hpp"

namespace artel::bench {
namespace {

// What was started some time ago, with a result.
template <class Sender>
class Started {
 public:
  explicit Started(Sender sender) : sender_(std::move(sender)) {}
  auto get() {
    auto found = stdexec::sync_wait(std::move(sender_));
    return std::get<0>(*found);  // NOLINT(bugprone-unchecked-optional-access): nobody stops it
  }

 private:
  Sender sender_;
};

class StdexecPool {
 public:
  explicit StdexecPool(unsigned workers) : pool_(workers) {}

  template <class F>
  void post(F&& fn) {
    exec::start_detached(stdexec::schedule(scheduler()) | stdexec::then(std::forward<F>(fn)));
  }
  template <class F>
  auto submit(F&& fn) {
    return Started(
        exec::ensure_started(stdexec::schedule(scheduler()) | stdexec::then(std::forward<F>(fn))));
  }

 private:
  using Scheduler = decltype(std::declval<exec::static_thread_pool&>().get_scheduler());

  // One for each thread that submits, as a program would keep it: it looks for a queue when made.
  Scheduler scheduler() {
    thread_local std::uint64_t pool = 0;
    thread_local std::unique_ptr<Scheduler> mine;
    if (pool != id_) {
      mine = std::make_unique<Scheduler>(pool_.get_scheduler());
      pool = id_;
    }
    return *mine;
  }

  static std::uint64_t new_id() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }

  std::uint64_t id_ = new_id();
  exec::static_thread_pool pool_;
};

}  // namespace

Rival stdexec_rival() {
  return {.name = "stdexec",
          .run = every_workload([](unsigned workers) { return StdexecPool(workers); })};
}

}  // namespace artel::bench
