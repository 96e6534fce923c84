#pragma once

#include <cstdint>

namespace master_workers {

// What master and workers tell each other; tasks by their number in the Workload.

struct TaskSubmitted {  // user to master
  std::uint32_t task = 0;
};
struct WorkerReady {  // worker to master
  std::uint32_t host = 0;
};
struct TaskAssigned {  // master to worker
  std::uint32_t task = 0;
};
struct TaskCompleted {  // worker to master
  std::uint32_t task = 0;
  std::uint32_t host = 0;
};

}  // namespace master_workers
