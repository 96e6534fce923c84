#pragma once

#include <memory>
#include <optional>
#include <typeinfo>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/running_type.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool {

class Pool;

/// A task for workers that have a state: it may find that it cannot start where its turn came, or
/// that it has to be tried again.
///
/// With WorkerHandle this is what a host of such workers is built from (artel/service is one). The
/// host derives from it, gives the tasks to Pool::submit_hosted(), and prepares the workers in
/// PoolOptions::on_start and on_attend.
///
///     waiting -> can_start_here(): true     -> attempt(): an outcome -> ended
///                                                         nothing    -> put back
///                                  false    -> put back
///                                  an Error -> ended as cancelled
///     put back -> waiting, first in line of the common queue, for whoever is free
///
/// It is accepted once and ends once, however often it is put back. Cancelled, expired and refused
/// tasks end without can_start_here() or attempt(), as any task does.
/// Cost:    one allocation, which is the task itself with its result.
/// Threads: one worker at a time, but not always the same.
template <class T>
class HostedTask : private detail::ValueNode<T> {
 public:
  HostedTask(const HostedTask&) = delete;
  HostedTask& operator=(const HostedTask&) = delete;
  ~HostedTask() override = default;

  using detail::ValueNode<T>::operator new;
  using detail::ValueNode<T>::operator delete;

 protected:
  HostedTask() = default;

  /// Its turn has come on this worker: whether it can start; if not, it is put back. Errors: any;
  /// it then ends as cancelled, and that is what its Future gets.
  virtual Result<bool> can_start_here() = 0;
  /// Runs it, by keep(): what that says; nothing: this did not count, put it back.
  virtual std::optional<TaskOutcome> attempt() = 0;
  /// It has ended, in whatever way, and nobody has heard yet: lets go of what it was made of.
  virtual void ended() = 0;

  /// Calls `fn()` and keeps its value or exception for the Future, instead of an earlier one.
  template <class Fn>
  TaskOutcome keep(Fn&& fn) {
    return this->store_call(std::forward<Fn>(fn));
  }

 private:
  friend class Pool;
  using Node = detail::ValueNode<T>;
  using Pointer = detail::NodePtr<Node>;

  /// What a queue holds of it.
  struct Body {
    Pointer node;

    // It accounts for itself.
    std::optional<TaskOutcome> run(detail::Runner& runner) {
      if (!node->claim_at_turn(runner)) return std::nullopt;
      const HostedTask& task = self(node);
      detail::note_running(typeid(task));
      HostedTask::run(std::move(node), runner);
      return std::nullopt;
    }
    std::optional<TaskOutcome> drop(detail::Runner& runner, TaskOutcome outcome) {
      if (node->claim_at_turn(runner)) {
        self(node).end_unstarted(runner, outcome, detail::error_of(outcome));
      }
      return std::nullopt;
    }
    detail::TaskTimes* times() { return self(node).wanted_times(); }
  };

  static HostedTask& self(const Pointer& node) { return static_cast<HostedTask&>(*node); }
  static Pointer node_of(std::unique_ptr<HostedTask> task) {
    task->mark_queued();
    return Pointer(task.release());
  }
  static Body share(const Pointer& node) { return Body{Pointer::share(node.get())}; }

  // Null: nobody wants them.
  detail::TaskTimes* wanted_times() {
    return this->conditions().wanted() ? &this->conditions() : nullptr;
  }

  // Ends the task, or puts it back.
  static void run(Pointer node, detail::Runner& runner) {
    HostedTask& task = self(node);
    const Result<bool> here = task.can_start_here();
    if (!here) return task.end_unstarted(runner, TaskOutcome::cancelled, here.error());
    if (!*here) return put_back(std::move(node), runner);
    detail::TaskTimes* const times = task.wanted_times();
    Instant started;
    if (times != nullptr) {
      if (const auto refused = runner.begin(*times, started)) {
        return task.end_unstarted(runner, *refused, detail::error_of(*refused));
      }
    }
    const std::optional<TaskOutcome> outcome = task.attempt();
    if (!outcome) {
      if (times != nullptr) runner.put_off();
      return put_back(std::move(node), runner);
    }
    if (times != nullptr) runner.end(*times, started, *outcome);
    task.finish(runner, *outcome);
  }

  static void put_back(Pointer node, detail::Runner& runner) {
    self(node).unclaim();
    detail::Job job(Body{std::move(node)});
    if (runner.put_back(job)) return;
    // No memory to let it wait: better a clear end than none.
    static_cast<void>(job.drop(runner, TaskOutcome::cancelled));
  }

  void end_unstarted(detail::Runner& runner, TaskOutcome outcome, Error error) {
    this->store_error(std::move(error));
    if (detail::TaskTimes* const times = wanted_times()) runner.discard(*times, outcome);
    finish(runner, outcome);
  }

  void store_unstarted(TaskOutcome outcome) override {
    Node::store_unstarted(outcome);
    ended();
  }

  void finish(detail::Runner& runner, TaskOutcome outcome) {
    this->disarm();
    ended();
    runner.account(outcome);
    this->publish();  // the last: the owner of the Future may go on from here
  }
};

}  // namespace artel::pool
