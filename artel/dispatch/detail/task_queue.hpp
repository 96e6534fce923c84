#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/dispatch/detail/fifo.hpp"

namespace artel::dispatch::detail {

/// What some policies need to know of a task that waits.
struct WaitingInfo {
  std::uint64_t order = 0;  ///< of arrival
  Duration size{};          ///< its hint
  Instant bound{};          ///< when it came to this worker
};

/// The memory of all task queues of one dispatcher.
template <class Task>
struct TaskQueueStore {
  explicit TaskQueueStore(bool keep_infos) : with_info(keep_infos) {}
  bool with_info;  ///< whether infos are kept at all
  ChunkStore<Task> tasks;
  ChunkStore<WaitingInfo> infos;
};

/// Tasks that wait, first in first out, each with its info if infos are kept.
///
/// Cost:    as Fifo; without infos they cost neither memory nor time.
/// Threads: one at a time for all queues of a store.
template <class Task>
class TaskQueue {
 public:
  struct Waiting {
    Task task;
    WaitingInfo info;
  };

  explicit TaskQueue(TaskQueueStore<Task>& store)
      : tasks_(store.tasks), infos_(store.infos), with_info_(store.with_info) {}

  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  /// The info of the task that pop() would return; all zero if infos are not kept.
  [[nodiscard]] WaitingInfo front_info() const {
    return with_info_ ? infos_.front() : WaitingInfo{};
  }

  void push(Task task, const WaitingInfo& info) {
    tasks_.push(std::move(task));
    if (with_info_) infos_.push(info);
  }

  Waiting pop() { return Waiting{tasks_.pop(), with_info_ ? infos_.pop() : WaitingInfo{}}; }

 private:
  Fifo<Task> tasks_;
  Fifo<WaitingInfo> infos_;
  bool with_info_;
};

}  // namespace artel::dispatch::detail
