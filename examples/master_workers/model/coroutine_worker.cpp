#include "examples/master_workers/model/coroutine_worker.hpp"

#include <cstdint>

#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/task.hpp"
#include "examples/master_workers/model/host.hpp"
#include "examples/master_workers/model/messages.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace master_workers {

void CoroutineWorker::start() {
  for (std::uint32_t i = 0; i < host_.workload->hosts[host_.number].cores; ++i) spawn(core());
}

artel::sim::Task<> CoroutineWorker::core() {
  while (true) {
    const std::uint32_t number = (co_await next<TaskAssigned>())->task;
    const TaskSpec& task = host_.workload->tasks[number];
    co_await host_.network->transfer(kMasterNode, host_.node, task.input_bytes);
    co_await host_.disk->read(task.input_bytes);
    co_await host_.compute->run({.flops = task.flops, .memory = task.memory});
    co_await host_.disk->write(task.output_bytes);
    co_await host_.network->transfer(host_.node, kMasterNode, task.output_bytes);
    host_.disk->free(task.output_bytes);
    host_.network->send(id(), TaskCompleted{number, host_.number}, host_.master);
  }
}

}  // namespace master_workers
