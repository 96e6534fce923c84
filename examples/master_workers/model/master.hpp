#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/model/network.hpp"
#include "examples/master_workers/model/messages.hpp"
#include "examples/master_workers/model/waiting_tasks.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace master_workers {

struct Round {};

/// The rule of DSLab's master: the worker with most free memory, then with most free cores, then
/// the fastest.
[[nodiscard]] artel::dispatch::Policy most_free_memory();

/// Gives tasks to workers: a round of assignments at 1 s, then every 10 s, and whenever all workers
/// have become idle (or, if the workload says so, whenever a task is completed).
///
/// The workers are a LoadView of the library, so that any of its policies chooses: a worker's queue
/// is its memory in MB, and it has room while it also has a free core. The chosen worker gets the
/// first waiting task that fits; one that none fits is out of the round.
class Master final
    : public artel::sim::Component<TaskSubmitted, WorkerReady, TaskCompleted, Round> {
 public:
  Master(const Workload& workload, artel::dispatch::Policy policy, artel::sim::Network& network);

  /// The workers by host; before the start.
  void set_workers(std::vector<artel::sim::ComponentId> workers) { workers_ = std::move(workers); }
  void start();

  void on(const TaskSubmitted& submitted);
  void on(const WorkerReady& ready);
  void on(const TaskCompleted& completed);
  void on(const Round&);

  [[nodiscard]] std::uint32_t completed() const { return completed_; }
  [[nodiscard]] artel::Instant last_completed_at() const { return last_completed_at_; }
  /// Time of the computer, not of the model, that went into choosing.
  [[nodiscard]] std::chrono::duration<double> scheduling() const { return scheduling_; }

 private:
  struct Free {
    std::uint32_t cores = 0;
    std::uint32_t memory = 0;
  };

  void schedule();
  void assign(std::uint32_t task, artel::WorkerId worker);
  void show(artel::WorkerId worker, bool open = true);

  const Workload& workload_;
  artel::dispatch::Policy policy_;
  bool best_first_;  // no worker has more memory than the chosen one
  artel::dispatch::IndexedLoads loads_;
  artel::sim::Network& network_;
  std::vector<artel::sim::ComponentId> workers_;
  std::vector<Free> free_;
  WaitingTasks waiting_;
  std::vector<artel::WorkerId> out_of_round_;
  std::uint64_t turn_ = 0;
  std::uint32_t assigned_ = 0;
  std::uint32_t completed_ = 0;
  artel::Instant last_completed_at_{};
  std::chrono::duration<double> scheduling_{};
};

}  // namespace master_workers
