#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/dispatch/detail/fifo.hpp"
#include "artel/dispatch/draw.hpp"

namespace artel::dispatch::detail {

/// What some policies need to know of a task that waits.
struct TaskFacts {
  std::uint64_t order = 0;  ///< of arrival
  Instant bound{};          ///< when it came to this worker
  TaskHints hints{};
};

/// The memory of all task queues of one dispatcher.
template <class Task>
struct TaskQueueStore {
  explicit TaskQueueStore(bool keeps) : keeps_facts(keeps) {}
  bool keeps_facts;  ///< whether facts are kept at all
  ChunkStore<Task> tasks;
  ChunkStore<TaskFacts> facts;
};

/// Tasks that wait, first in first out, each with its facts if they are kept.
///
/// kPlain: facts are not kept, as the caller knows.
/// Cost:    as Fifo; facts that are not kept cost neither memory nor time.
/// Threads: one at a time for all queues of a store.
template <class Task>
class TaskQueue {
 public:
  struct Waiting {
    Task task;
    TaskFacts facts;
  };

  explicit TaskQueue(TaskQueueStore<Task>& store)
      : keeps_facts_(store.keeps_facts), tasks_(store.tasks), facts_(store.facts) {}

  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  /// Those of the task that pop() would return; all zero if they are not kept.
  [[nodiscard]] TaskFacts front_facts() const {
    return keeps_facts_ ? facts_.front() : TaskFacts{};
  }

  template <bool kPlain = false>
  void push(Task task, const TaskFacts& facts) {
    tasks_.push(std::move(task));
    if (!kPlain && keeps_facts_) facts_.push(facts);
  }

  template <bool kPlain = false>
  Waiting pop() {
    return Waiting{tasks_.pop(), !kPlain && keeps_facts_ ? facts_.pop() : TaskFacts{}};
  }

 private:
  bool keeps_facts_;
  Fifo<Task> tasks_;
  Fifo<TaskFacts> facts_;
};

/// What one worker has: in one cache line of thousands, unless facts are kept.
template <class Task>
struct alignas(64) WorkerTasks {
  explicit WorkerTasks(TaskQueueStore<Task>& store) : tasks(store) {}
  Instant bound{};  // when the running task came to it
  bool running = false;
  TaskQueue<Task> tasks;  // that wait
};

}  // namespace artel::dispatch::detail
