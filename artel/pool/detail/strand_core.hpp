#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/room_line.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"

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
/// then queues the next turn, behind all that waits in the common queue.
/// Invariants:
///  D1  `scheduled_`: a turn is queued or runs. While tasks wait, it is so.
///  D2  Only the turn touches `batch_`, `next_` and `taken_`. Tasks come there from `waiting_`, all
///      at once.
///  D3  Submitters wait in `line_` while `queued_` is at the bound: the turn looks for them after
///      it has taken a task, and who joins looks once more whether one has been taken.
///  D4  Tasks added before Pool::purge() are dropped, not run: those up to number `purged_`.
/// Threads: any.
class StrandCore : public std::enable_shared_from_this<StrandCore> {
 public:
  StrandCore(Pool& pool, std::size_t bound);
  StrandCore(const StrandCore&) = delete;
  StrandCore& operator=(const StrandCore&) = delete;

  Admission push(Job job);
  [[nodiscard]] bool running_here() const;
  [[nodiscard]] std::size_t queued() const { return queued_.load(); }
  /// Submitters that wait for room.
  [[nodiscard]] std::size_t in_line() const { return line_.in_line(); }

 private:
  struct NextTurn {
    std::shared_ptr<StrandCore> strand;
    void run() const { strand->run_turn(); }
    void drop() const noexcept { strand->drop_all(); }
  };
  using Lock = std::unique_lock<std::mutex>;

  Admission schedule(Lock& lock);
  Admission wait_for_room(Lock& lock, Job& job);
  void run_turn();
  void drop_all();
  bool take(Job& job);
  [[nodiscard]] bool purged();
  void offer_room();
  // With the lock.
  void add(Job& job);
  void admit_waiting(std::size_t at_least);
  void note_purge();

  Pool& pool_;
  Submission& submission_;
  const std::size_t bound_;
  std::atomic<std::size_t> queued_ = 0;

  std::mutex lock_;  // of what follows
  std::vector<Job> waiting_;
  bool scheduled_ = false;
  RoomLine line_;
  std::uint64_t added_ = 0;
  std::atomic<std::uint64_t> purged_ = 0;  // written with the lock, as the next one
  std::atomic<std::uint64_t> purges_seen_;

  // Of the turn.
  std::vector<Job> batch_;
  std::size_t next_ = 0;
  std::uint64_t taken_ = 0;
  Duration task_time_{};  // of the last one
};

}  // namespace detail
}  // namespace artel::pool
