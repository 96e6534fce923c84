#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/pool/detail/graph_state.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool {

class Pool;

/// Tasks that run after one another as their dependencies say, and else at once.
///
///     pool::TaskGraph graph;
///     auto read = graph.add("read", [&] { … });
///     auto parse = graph.add("parse", [&] { … }).after({read});
///     graph.add("show", [&] { … }).after({read, parse});
///     graph.run(pool).get();
///
/// A task begins when all that it comes after have ended. If one throws, what comes after it, and
/// after that, is skipped; the rest still runs, and the first exception is the result of the run.
/// A graph can run any number of times, one run after the other.
/// Cost:    a run: an allocation, and a task of the pool for each task (about 0.1 us each).
/// Threads: one at a time adds and runs; a graph that is destroyed while it runs runs to its end.
class TaskGraph {
 public:
  /// A task of the graph; a handle.
  class Step {
   public:
    /// It begins after these have ended, beside those of earlier calls. Requires: tasks of the same
    /// graph, which does not run.
    Step after(std::initializer_list<Step> others) const {
      for (const Step& other : others) {
        ARTEL_REQUIRE(other.state_ == state_, "a task comes after tasks of its own graph");
        state_->add_edge(other.number_, number_);
      }
      return *this;
    }
    Step after(Step other) const { return after({other}); }

   private:
    friend class TaskGraph;
    Step(detail::GraphState& state, std::size_t number) : state_(&state), number_(number) {}

    detail::GraphState* state_;
    std::size_t number_;
  };

  TaskGraph() : state_(std::make_shared<detail::GraphState>()) {}

  /// A task that calls `fn()`, in each run once. The name is for errors. Requires: it does not run.
  template <class F>
  Step add(std::string name, F&& fn) {
    static_assert(std::is_invocable_v<std::decay_t<F>&>, "a task is a callable without arguments");
    return {*state_,
            state_->add_task(std::move(name), std::make_unique<detail::GraphCall<std::decay_t<F>>>(
                                                  std::forward<F>(fn)))};
  }
  /// The same without a name: "task 3" is the third one added.
  template <class F>
  Step add(F&& fn) {
    return add("task " + std::to_string(size() + 1), std::forward<F>(fn));
  }

  [[nodiscard]] std::size_t size() const { return state_->size(); }

  /// Runs all tasks on the pool, which outlives the run; the Future is ready when the last one has
  /// ended or was skipped. Tasks that have not begun when `stop` is requested are skipped.
  /// Errors: invalid (tasks wait for each other, and their names; the graph runs already),
  /// cancelled (stopped, or the pool cancelled tasks), closed, full (the pool refused).
  [[nodiscard]] Future<void> run(Pool& pool, const std::stop_token& stop = {}) {
    return state_->run(pool, stop);
  }

 private:
  std::shared_ptr<detail::GraphState> state_;
};

}  // namespace artel::pool
