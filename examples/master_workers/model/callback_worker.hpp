#pragma once

#include <cstdint>
#include <vector>

#include "artel/sim/kernel/component.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/network.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "examples/master_workers/model/host.hpp"
#include "examples/master_workers/model/messages.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace master_workers {

/// Runs the tasks it gets: download, read, compute, write, upload, report. In callbacks: every step
/// of a task is a handler of its own, which finds out whose step it is.
class CallbackWorker final
    : public artel::sim::Component<TaskAssigned, artel::sim::TransferEnded,
                                   artel::sim::DiskReadDone, artel::sim::ComputationStarted,
                                   artel::sim::ComputationFinished, artel::sim::DiskWriteDone> {
 public:
  explicit CallbackWorker(const Host& host) : host_(host) {}

  void start() {}

  void on(const TaskAssigned& assigned);
  void on(const artel::sim::TransferEnded& ended);
  void on(const artel::sim::DiskReadDone& done);
  void on(const artel::sim::ComputationStarted&) {}
  void on(const artel::sim::ComputationFinished& finished);
  void on(const artel::sim::DiskWriteDone& done);

 private:
  enum class Step : std::uint8_t { download, read, compute, write, upload };
  struct Running {
    std::uint32_t task = 0;
    Step step{};
    artel::sim::OperationId operation{};
  };

  [[nodiscard]] Running& find(Step step, artel::sim::OperationId operation);
  [[nodiscard]] const TaskSpec& spec(const Running& running) const {
    return host_.workload->tasks[running.task];
  }

  Host host_;
  std::vector<Running> running_;  // no more than cores
};

}  // namespace master_workers
