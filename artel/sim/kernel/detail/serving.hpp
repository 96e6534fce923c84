#pragma once

#include <type_traits>

#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"

namespace artel::sim::detail {

/// A wait that a value of the model's is moved to or from: out of its queue, its process held. A
/// move that withdraws it comes too late, the value has been sent or is lost. After one that
/// throws, the wait is the first of its queue again, unless that has withdrawn it.
class Serving {
 public:
  Serving(WaitQueue& queue, QueuedWait& wait)
      : hold_(WaitAccess::process_of_any(wait)), queue_(&queue), wait_(&wait) {
    queue.remove(wait);
    served_.push_back(wait);
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  ~Serving() {
    if (!served_.empty()) queue_->push_front(*wait_);
  }

  void complete() {
    if (!served_.empty()) served_.remove(*wait_);
    wait_->complete();
  }

 private:
  Hold hold_;
  WaitQueue served_;  // the wait, until it is completed or withdrawn
  WaitQueue* queue_;
  QueuedWait* wait_;
};

/// The same for a move that does not throw.
class ServingForSure {
 public:
  ServingForSure(WaitQueue& queue, QueuedWait& wait)
      : hold_(WaitAccess::process_of_any(wait)), wait_(&wait) {
    queue.remove(wait);
  }
  void complete() { wait_->complete(); }

 private:
  Hold hold_;
  QueuedWait* wait_;
};

/// The same for a move of bytes, which runs nothing of the model's.
class ServingPlain {
 public:
  ServingPlain(WaitQueue& queue, QueuedWait& wait) : wait_(&wait) { queue.remove(wait); }
  void complete() { wait_->complete(); }

 private:
  QueuedWait* wait_;
};

template <class T>
using ServingOf = std::conditional_t<
    std::is_trivially_copyable_v<T>, ServingPlain,
    std::conditional_t<std::is_nothrow_move_constructible_v<T>, ServingForSure, Serving>>;

}  // namespace artel::sim::detail
