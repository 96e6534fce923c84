#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/worker_capacity.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "tests/conformance/happening.hpp"
#include "tests/conformance/recorded_decision.hpp"
#include "tests/conformance/script.hpp"

namespace artel::conformance {

/// A real Pool whose tasks run until the script lets them end.
///
/// What started where is told by the tasks, what waits where by the pool's statistics; what was
/// bound in between follows from the two, as queues only give from the front. After each command
/// the host waits until the pool can do nothing more; if that does not come about, it says
/// `settled` after kPatience, and the ledger finds the fault.
///
/// The script's workers come and go by resizing: the last one leaves, and the queue of each place
/// is as long as it was made.
class PoolHost {
 public:
  using Tell = std::function<void(const Happening&)>;
  struct Options {
    dispatch::Policy policy{};
    unsigned workers = 1;
    std::uint32_t common = 3;
    Seed seed{};
  };
  static constexpr Duration kPatience = std::chrono::seconds(20);
  static constexpr unsigned kWorkersMax = 4;

  PoolHost(const Options& options, Tell tell);
  PoolHost(const PoolHost&) = delete;
  PoolHost& operator=(const PoolHost&) = delete;
  ~PoolHost();

  void join(const dispatch::WorkerCapacity& options);
  void leave(WorkerId id, Leaving how);
  void remove(WorkerId /*id*/) {}  // a thread cannot be removed
  void arrive(TaskId task, Duration size);
  void finish(WorkerId id);
  void pass(Duration /*time*/) {}  // a pool has its own clock

  [[nodiscard]] std::vector<WorkerId> members() const;
  [[nodiscard]] std::vector<WorkerId> busy() const;

  [[nodiscard]] const std::vector<RecordedDecision>& decisions() const { return decisions_; }

 private:
  struct Start {
    TaskId task;
    WorkerId worker;
  };

  static pool::PoolOptions pool_options(const Options& options);
  void run(TaskId task);  // on a worker's thread

  void warm_up();
  void joined(WorkerId id);
  void settle();
  [[nodiscard]] bool settled(const pool::PoolStats& stats) const;
  void tell_starts(const pool::PoolStats& stats);
  void tell_origin(const Start& start, std::uint64_t waiting);
  bool move_front(std::deque<TaskId>& from, const Start& start, std::uint64_t waiting);
  void bind(TaskId task, WorkerId id);
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): the pool lives from the constructor on
  [[nodiscard]] bool leaving(WorkerId id) const { return index(id) >= pool_->size(); }

  Tell tell_;
  std::vector<RecordedDecision> decisions_;
  std::optional<WorkerId> chosen_;  // by the last decision
  bool saw_shares_ = false;
  std::uint64_t warm_ups_ = 0;  // tasks before the script
  // As told so far.
  std::deque<TaskId> held_;
  std::map<WorkerId, std::deque<TaskId>> waiting_;
  std::uint64_t arrived_ = 0;
  std::uint64_t rejected_ = 0;
  std::uint64_t finished_ = 0;

  mutable std::mutex lock_;  // of all below
  std::condition_variable changed_;
  std::vector<Start> starts_;  // not told yet
  std::map<WorkerId, TaskId> running_;
  std::set<TaskId> released_;

  std::optional<pool::Pool> pool_;  // the last: its tasks use the rest
};

static_assert(Host<PoolHost>);

}  // namespace artel::conformance
