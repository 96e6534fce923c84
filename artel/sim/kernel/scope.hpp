#pragma once

#include <cstddef>
#include <source_location>
#include <utility>
#include <vector>

#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {

/// The owner of processes: they do not outlive it. A local variable of a coroutine, usually, or a
/// member of a component. Cost: O(1) amortised per child that runs. Threads: its simulation's.
///
///     sim::Scope scope(context);
///     for (const auto& replica : replicas) scope.spawn(write_to(context, replica));
///     co_await scope.join();      // or leave: what still runs is cancelled
class Scope {
 public:
  explicit Scope(Context& context) : context_(&context) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    while (!children_.empty()) {  // destructors of their results may spawn more
      cancel();
      const std::vector<ProcessRef> ended = std::exchange(children_, {});
    }
  }

  template <class T>
  Process<T> spawn(Task<T> task, std::source_location where = std::source_location::current()) {
    Process<T> process = context_->spawn(std::move(task), where);
    std::vector<ProcessRef> forgotten;  // ends when the books are right again
    if (children_.size() == children_.capacity() && !cancelling_) forgotten = take_ended();
    children_.push_back(process);
    return process;
  }

  /// `co_await scope.join()`: waits until all children have ended. When one fails, its exception
  /// arrives at once; the others run on until the scope ends.
  [[nodiscard]] AllOfMany<ProcessEnd> join() const {
    std::vector<ProcessEnd> ends;
    ends.reserve(children_.size());
    for (const ProcessRef& child : children_) ends.emplace_back(child);
    return all_of(std::move(ends));
  }

  /// Cancels the children that still run, the first one first.
  void cancel() {
    const bool was_cancelling = std::exchange(cancelling_, true);
    // By index and copy: destructors of the children may spawn more.
    for (std::size_t i = 0; i < children_.size(); ++i) ProcessRef(children_[i]).cancel();
    cancelling_ = was_cancelling;
  }

 private:
  /// Keeps the children that run or whose exception may still be wanted.
  [[nodiscard]] std::vector<ProcessRef> take_ended() {
    std::vector<ProcessRef> kept;
    std::vector<ProcessRef> ended;
    for (ProcessRef& child : children_) {
      const bool matters = !child.done() || child.status() == ProcessStatus::failed;
      (matters ? kept : ended).push_back(std::move(child));
    }
    children_ = std::move(kept);
    return ended;
  }

  Context* context_;
  std::vector<ProcessRef> children_;
  bool cancelling_ = false;
};

}  // namespace artel::sim
