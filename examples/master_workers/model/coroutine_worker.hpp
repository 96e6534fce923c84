#pragma once

#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/task.hpp"
#include "examples/master_workers/model/host.hpp"

namespace master_workers {

/// The same as CallbackWorker in coroutines: every core is a process that takes a task and brings
/// it to its end, one step after the other.
class CoroutineWorker final : public artel::sim::Component<> {
 public:
  explicit CoroutineWorker(const Host& host) : host_(host) {}

  void start();

 private:
  artel::sim::Task<> core();

  Host host_;
};

}  // namespace master_workers
