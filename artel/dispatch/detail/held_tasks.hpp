#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/dispatch/detail/task_queue.hpp"
#include "artel/dispatch/stealing.hpp"

namespace artel::dispatch::detail {

/// Tasks that no worker has bound, by precedence; of the usual one those that workers which left
/// gave back come first.
///
/// Cost and threads: as TaskQueue.
template <class Task>
class HeldTasks {
 public:
  using Queue = TaskQueue<Task>;
  using Waiting = typename Queue::Waiting;

  explicit HeldTasks(TaskQueueStore<Task>& store)
      : queues_{Queue(store), Queue(store), Queue(store)}, returned_(store) {}

  [[nodiscard]] std::size_t size() const {
    return queues_[0].size() + queues_[1].size() + queues_[2].size() + returned_.size();
  }
  [[nodiscard]] std::size_t usual() const { return size(Precedence::usual); }
  [[nodiscard]] std::size_t size(Precedence precedence) const {
    const auto size = queues_[static_cast<std::size_t>(precedence)].size();
    return precedence == Precedence::usual ? size + returned_.size() : size;
  }

  void push(Precedence precedence, Task&& task, const TaskFacts& facts) {
    queues_[static_cast<std::size_t>(precedence)].push(std::move(task), facts);
  }
  void give_back(Waiting&& waiting) { returned_.push(std::move(waiting.task), waiting.facts); }

  /// The next one, to be bound now. Requires: there is one.
  [[nodiscard]] Waiting pop(Precedence precedence, Instant now) {
    const bool returned = precedence == Precedence::usual && !returned_.empty();
    auto next = returned ? returned_.pop() : queues_[static_cast<std::size_t>(precedence)].pop();
    next.facts.bound = now;
    return next;
  }

 private:
  std::array<Queue, kPrecedences> queues_;
  Queue returned_;  // from workers that left; older than all of the usual queue
};

}  // namespace artel::dispatch::detail
