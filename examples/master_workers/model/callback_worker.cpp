#include "examples/master_workers/model/callback_worker.hpp"

#include <algorithm>

#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/network.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "examples/master_workers/model/host.hpp"
#include "examples/master_workers/model/messages.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace master_workers {

void CallbackWorker::on(const TaskAssigned& assigned) {
  const TaskSpec& task = host_.workload->tasks[assigned.task];
  running_.push_back({.task = assigned.task,
                      .step = Step::download,
                      .operation = host_.network->start_transfer(kMasterNode, host_.node,
                                                                 task.input_bytes, id())});
}

void CallbackWorker::on(const artel::sim::TransferEnded& ended) {
  const auto is_upload = [&](const Running& one) {
    return one.step == Step::upload && one.operation == ended.operation;
  };
  if (const auto up = std::find_if(running_.begin(), running_.end(), is_upload);
      up != running_.end()) {
    host_.disk->free(spec(*up).output_bytes);
    host_.network->send(id(), TaskCompleted{up->task, host_.number}, host_.master);
    *up = running_.back();
    running_.pop_back();
    return;
  }
  Running& running = find(Step::download, ended.operation);
  running.step = Step::read;
  running.operation = host_.disk->start_read(spec(running).input_bytes, id());
}

void CallbackWorker::on(const artel::sim::DiskReadDone& done) {
  Running& running = find(Step::read, done.operation);
  running.step = Step::compute;
  running.operation = host_.compute->start_run(
      {.flops = spec(running).flops, .memory = spec(running).memory}, id());
}

void CallbackWorker::on(const artel::sim::ComputationFinished& finished) {
  Running& running = find(Step::compute, finished.operation);
  running.step = Step::write;
  running.operation = host_.disk->start_write(spec(running).output_bytes, id());
}

void CallbackWorker::on(const artel::sim::DiskWriteDone& done) {
  Running& running = find(Step::write, done.operation);
  running.step = Step::upload;
  running.operation =
      host_.network->start_transfer(host_.node, kMasterNode, spec(running).output_bytes, id());
}

CallbackWorker::Running& CallbackWorker::find(Step step, artel::sim::OperationId operation) {
  return *std::find_if(running_.begin(), running_.end(), [&](const Running& one) {
    return one.step == step && one.operation == operation;
  });
}

}  // namespace master_workers
