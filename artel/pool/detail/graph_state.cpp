#include "artel/pool/detail/graph_state.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/pool_access.hpp"
#include "artel/pool/detail/running_type.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/work_body.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/promise.hpp"

namespace artel::pool::detail {

std::size_t GraphState::add_task(std::string name, std::unique_ptr<AnyGraphCall> call) {
  ARTEL_REQUIRE(!running_.load(), "a graph does not change while it runs");
  Vertex& vertex = vertices_.emplace_back(std::move(name), std::move(call));
  return vertex.number = vertices_.size() - 1;
}

void GraphState::add_edge(std::size_t from, std::size_t to) {
  ARTEL_REQUIRE(!running_.load(), "a graph does not change while it runs");
  vertices_[from].dependants.push_back(&vertices_[to]);
  ++vertices_[to].dependencies;
  checked_ = false;
}

// Takes away what waits for nothing, again and again. Of what is left each waits for another one
// that is left: going back leads into a cycle.
std::optional<Error> GraphState::find_cycle() const {
  std::vector<std::size_t> missing(vertices_.size());
  std::vector<const Vertex*> free;
  for (const Vertex& vertex : vertices_) {
    missing[vertex.number] = vertex.dependencies;
    if (vertex.dependencies == 0) free.push_back(&vertex);
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (const Vertex* const dependant : free[i]->dependants) {
      if (--missing[dependant->number] == 0) free.push_back(dependant);
    }
  }
  if (free.size() == vertices_.size()) return std::nullopt;

  std::vector<const Vertex*> before(vertices_.size());
  const Vertex* at = nullptr;
  for (const Vertex& vertex : vertices_) {
    if (missing[vertex.number] == 0) continue;
    at = &vertex;
    for (const Vertex* const dependant : vertex.dependants) before[dependant->number] = &vertex;
  }
  for (std::size_t i = 0; i < vertices_.size(); ++i) at = before[at->number];
  std::string names = "'" + at->name + "'";
  const Vertex* const first = at;
  do {
    at = before[at->number];
    names += " after '" + at->name + "'";
  } while (at != first);
  return Error{ErrorCode::invalid, "tasks of a graph wait for each other: " + names, ""};
}

Future<void> GraphState::run(Pool& pool, const std::stop_token& stop) {
  if (running_.exchange(true)) {
    return Future<void>::refused({ErrorCode::invalid, "the graph is running already", ""});
  }
  if (!checked_) {
    if (auto cycle = find_cycle()) {
      running_.store(false);
      return Future<void>::refused(std::move(*cycle));
    }
    checked_ = true;
  }
  for (Vertex& vertex : vertices_) {
    vertex.missing.store(vertex.dependencies);
    vertex.skipped.store(false);
  }
  submission_ = &PoolAccess::submission(pool);
  stop_ = stop;
  self_ = shared_from_this();
  left_.store(vertices_.size() + 1);  // G2
  Future<void> future = done_.emplace().future();
  for (Vertex& vertex : vertices_) {
    if (vertex.dependencies != 0) continue;
    const auto admission =
        admit_work(*submission_, QueuedVertex{this, &vertex}, submission_->patience());
    if (admission != Admission::accepted) skip(vertex, error_of(admission));
  }
  end_one();
  return future;
}

// ---- The tasks

// The task, and those after it that the pool refuses: a pool that is full, or stops, does not keep
// a run from its end.
void GraphState::execute(Vertex* vertex) {
  Vertex* todo = vertex;
  while (todo != nullptr) {
    Vertex& now = *std::exchange(todo, todo->next);
    if (!now.skipped.load() && (stop_.stop_requested() || submission_->cancelling())) {
      keep({ErrorCode::cancelled, "the graph was stopped before all tasks had begun", ""});
      now.skipped.store(true);
    }
    if (!now.skipped.load()) {
      const AnyGraphCall& call = *now.call;
      note_running(typeid(call));
      try {
        now.call->call();
      } catch (...) {
        now.skipped.store(true);
        const std::lock_guard lock(lock_);
        if (!exception_) exception_ = std::current_exception();
      }
    }
    end(now, todo);
  }
}

void GraphState::skip(Vertex& vertex, Error error) {
  keep(std::move(error));
  vertex.skipped.store(true);
  vertex.next = nullptr;
  execute(&vertex);
}

Error GraphState::error_of_drop() { return detail::error_of(TaskOutcome::cancelled); }

void GraphState::end(Vertex& vertex, Vertex*& todo) {
  const bool skipped = vertex.skipped.load();
  for (Vertex* const dependant : vertex.dependants) {
    if (skipped) dependant->skipped.store(true);
    if (dependant->missing.fetch_sub(1) != 1) continue;
    dependant->next = nullptr;
    if (!dependant->skipped.load() && admit_work(*submission_, QueuedVertex{this, dependant},
                                                 Instant::min()) == Admission::accepted) {
      continue;
    }
    dependant->next = todo;
    todo = dependant;
  }
  end_one();
}

void GraphState::keep(Error error) {
  const std::lock_guard lock(lock_);
  if (!error_) error_ = std::move(error);
}

void GraphState::end_one() {
  if (left_.fetch_sub(1) != 1) return;
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): there is a run
  Promise<void> done = std::move(*done_);
  std::exception_ptr exception = std::exchange(exception_, nullptr);
  std::optional<Error> error = std::exchange(error_, std::nullopt);
  const std::shared_ptr<GraphState> last = std::move(self_);
  stop_ = {};
  running_.store(false);
  if (exception) return done.set_exception(std::move(exception));
  if (error) return done.set_error(std::move(*error));
  done.set_value();
}

}  // namespace artel::pool::detail
