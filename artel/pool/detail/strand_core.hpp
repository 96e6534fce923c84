#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/sync/event_count.hpp"

namespace artel::pool {

class Pool;

namespace detail {

class Submission;

/// A task of a strand with a Future.
template <class T, class F>
struct PromisedBody {
  Promise<T> promise;
  F fn;

  std::optional<TaskOutcome> run(Runner& /*runner*/) {
    promise.set_from(std::move(fn));
    return TaskOutcome::done;
  }
  std::optional<TaskOutcome> drop(Runner& /*runner*/, TaskOutcome outcome) {
    promise.set_error(error_of(outcome));
    return outcome;
  }
  [[nodiscard]] TaskTimes* times() const { return nullptr; }
};

/// What the handles of a strand and its turn share.
///
/// Its tasks wait here; the pool has one task of it at most, its turn, which runs some of them and
/// then queues the next turn.
/// Invariants:
///  D1  `scheduled_`: a turn is queued or runs. While tasks wait, it is so.
///  D2  Only the turn touches `batch_` and `next_`, in which tasks come from `waiting_`, all at
///      once.
/// Threads: any.
class StrandCore : public std::enable_shared_from_this<StrandCore> {
 public:
  StrandCore(Pool& pool, std::size_t bound);
  StrandCore(const StrandCore&) = delete;
  StrandCore& operator=(const StrandCore&) = delete;

  Admission push(Job job);
  [[nodiscard]] bool running_here() const;
  [[nodiscard]] std::size_t queued() const { return queued_.load(); }

 private:
  struct NextTurn {
    std::shared_ptr<StrandCore> strand;
    void run() const { strand->run_turn(); }
    void drop() const noexcept { strand->drop_all(); }
  };
  using Lock = std::unique_lock<std::mutex>;

  Admission schedule(Lock& lock);
  [[nodiscard]] bool has_room() const { return queued_.load() < bound_; }
  void run_turn();
  void drop_all();
  bool take(Job& job);

  Pool& pool_;
  Submission& submission_;
  const std::size_t bound_;
  std::atomic<std::size_t> queued_ = 0;
  sync::EventCount room_;

  std::mutex lock_;  // of the next two
  std::vector<Job> waiting_;
  bool scheduled_ = false;

  std::vector<Job> batch_;
  std::size_t next_ = 0;
};

}  // namespace detail
}  // namespace artel::pool
