#include "tests/conformance/pool_host.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/dispatch/worker_capacity.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "tests/conformance/happening.hpp"
#include "tests/conformance/script.hpp"

namespace artel::conformance {
// NOLINTBEGIN(bugprone-unchecked-optional-access): the pool lives from the constructor on
namespace {

// Tasks that may wait at a worker, beside the one that runs.
unsigned queue_of(WorkerId id) { return 1 + static_cast<unsigned>(index(id)) % 3; }

}  // namespace

pool::PoolOptions PoolHost::pool_options(const Options& options) {
  pool::PoolOptions made{.workers = options.workers,
                         .workers_min = 1,
                         .workers_max = kWorkersMax,
                         .common = options.common,
                         .when_full = dispatch::WhenFull::reject,
                         .dispatch = options.policy,
                         .seed = options.seed,
                         .shrink_timeout = kForever};
  for (unsigned i = 0; i < kWorkersMax; ++i) {
    made.queues.push_back(queue_of(dispatch::worker(i)));
    made.weights.push_back(static_cast<float>(1 + i % 2));
  }
  // Beacons wait in the queues like tasks: none while the script runs.
  if (auto* const closed_loop = std::get_if<dispatch::ClosedLoop>(&made.dispatch)) {
    closed_loop->beacon_every = std::chrono::hours(1);
    closed_loop->publish_every = std::chrono::milliseconds(1);
  }
  return made;
}

PoolHost::PoolHost(const Options& options, Tell tell) : tell_(std::move(tell)) {
  pool::PoolOptions made = pool_options(options);
  made.on_decision = [this](const pool::Decision& decision) {
    decisions_.emplace_back(decision.loads, decision.draw, decision.chosen);
    chosen_ = decision.chosen;
    saw_shares_ |= decision.draw.shares != nullptr;
  };
  pool_.emplace(made);
  if (std::holds_alternative<dispatch::ClosedLoop>(made.dispatch)) warm_up();
  for (unsigned i = 0; i < options.workers; ++i) joined(dispatch::worker(i));
}

// The first distribution is published after the first beacons: then, lets them come back.
void PoolHost::warm_up() {
  const Instant end = later(steady_now(), kPatience);
  while ((!saw_shares_ || pool_->stats().total.queued > 0) && steady_now() < end) {
    if (pool_->post([] {}) == pool::Admission::accepted) ++warm_ups_;
    static_cast<void>(pool_->wait_idle(end));
  }
  decisions_.clear();
}

PoolHost::~PoolHost() {
  const std::lock_guard lock(lock_);
  for (std::uint64_t task = 0; task < arrived_; ++task) released_.insert(TaskId{task});
  changed_.notify_all();
}

void PoolHost::joined(WorkerId id) {
  tell_({.what = What::joined, .worker = id, .capacity = queue_of(id) + 1});
}

void PoolHost::join(const dispatch::WorkerCapacity& /*options*/) {
  const unsigned size = pool_->size();
  if (size == kWorkersMax || !pool_->resize(size + 1)) return;  // full, or somebody still leaves
  joined(dispatch::worker(size));
  settle();
}

void PoolHost::leave(WorkerId id, Leaving /*how*/) {
  const unsigned size = pool_->size();
  if (index(id) + 1 != size || !pool_->resize(size - 1)) return;
  tell_({.what = What::leaving, .worker = id});
  settle();
}

void PoolHost::arrive(TaskId task, Duration size) {
  tell_({.what = What::arrived, .task = task});
  ++arrived_;
  chosen_.reset();
  const auto admission = pool_->post([this, task] { run(task); }, {.size = size});
  if (admission != pool::Admission::accepted) {
    ++rejected_;
    tell_({.what = What::rejected, .task = task});
  } else if (chosen_) {
    bind(task, *chosen_);
  } else {
    // An idle worker takes it at once, which is then told as if it had been bound directly.
    held_.push_back(task);
    const auto all = members();
    const bool somebody_idle = std::any_of(all.begin(), all.end(), [this](WorkerId id) {
      const std::lock_guard lock(lock_);
      return !running_.contains(id) && waiting_[id].empty();
    });
    if (!somebody_idle) tell_({.what = What::held, .task = task});
  }
  settle();
}

void PoolHost::finish(WorkerId id) {
  {
    const std::lock_guard lock(lock_);
    const TaskId task = running_.at(id);
    tell_({.what = What::finished, .task = task, .worker = id});
    ++finished_;
    running_.erase(id);
    released_.insert(task);
    changed_.notify_all();
  }
  settle();
}

std::vector<WorkerId> PoolHost::members() const {
  std::vector<WorkerId> all;
  for (unsigned i = 0; i < pool_->size(); ++i) all.push_back(dispatch::worker(i));
  return all;
}

std::vector<WorkerId> PoolHost::busy() const {
  const std::lock_guard lock(lock_);
  std::vector<WorkerId> all;
  all.reserve(running_.size());
  for (const auto& [id, task] : running_) all.push_back(id);
  return all;
}

void PoolHost::run(TaskId task) {
  const WorkerId id = pool_->this_worker().value();  // NOLINT(bugprone-unchecked-optional-access)
  std::unique_lock lock(lock_);
  starts_.push_back({task, id});
  running_[id] = task;
  changed_.notify_all();
  changed_.wait(lock, [&] { return released_.contains(task); });
}

bool PoolHost::settled(const pool::PoolStats& stats) const {
  const std::uint64_t done = finished_ + warm_ups_;
  if (stats.total.outcomes.of(pool::TaskOutcome::done) != done) return false;
  const std::lock_guard lock(lock_);
  const std::uint64_t waiting = stats.accepted - done - running_.size();
  if (stats.total.queued != waiting) return false;  // some task is between two places
  if (waiting == 0) return true;
  for (std::size_t i = 0; i < stats.workers.size(); ++i) {
    const bool idle = !running_.contains(dispatch::worker(i));
    if (idle && (stats.workers[i].open || stats.workers[i].queued > 0)) return false;
  }
  return true;
}

void PoolHost::settle() {
  const Instant end = later(steady_now(), kPatience);
  pool::PoolStats stats = pool_->stats();
  while (!settled(stats) && steady_now() < end) {
    std::this_thread::yield();
    stats = pool_->stats();
  }
  tell_starts(stats);
  const auto left = busy();
  if (std::none_of(left.begin(), left.end(), [this](WorkerId id) { return leaving(id); })) {
    static_cast<void>(pool_->wait_resized(end));
  }
  tell_({.what = What::settled,
         .counts = {.arrived = arrived_,
                    .held = stats.queued_common,
                    .waiting = stats.total.queued - stats.queued_common,
                    .running = left.size(),
                    .finished = finished_,
                    .rejected = rejected_}});
}

void PoolHost::tell_starts(const pool::PoolStats& stats) {
  std::vector<Start> starts;
  {
    const std::lock_guard lock(lock_);
    starts.swap(starts_);
  }
  for (const Start& start : starts) {
    tell_origin(start, stats.workers[index(start.worker)].queued);
    tell_({.what = What::started, .task = start.task, .worker = start.worker});
    std::erase(waiting_[start.worker], start.task);
  }
}

// Where the task came from, and with it as many as wait at its worker now.
void PoolHost::tell_origin(const Start& start, std::uint64_t waiting) {
  const auto& own = waiting_[start.worker];
  if (!own.empty() && own.front() == start.task) return;
  if (move_front(held_, start, waiting)) return;
  for (auto& [id, queue] : waiting_) {
    if (move_front(queue, start, waiting)) return;
  }
  bind(start.task, start.worker);  // against the order: the ledger will say so
}

bool PoolHost::move_front(std::deque<TaskId>& from, const Start& start, std::uint64_t waiting) {
  if (from.empty() || from.front() != start.task) return false;
  for (std::uint64_t i = 0; i <= waiting && !from.empty(); ++i) {
    const TaskId task = from.front();
    from.pop_front();
    bind(task, start.worker);
  }
  return true;
}

void PoolHost::bind(TaskId task, WorkerId id) {
  waiting_[id].push_back(task);
  tell_({.what = What::bound, .task = task, .worker = id});
}

// NOLINTEND(bugprone-unchecked-optional-access)
}  // namespace artel::conformance
