#include "artel/pool/pool.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/core/deadline.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/early_end.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/monitor.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/thread_manners.hpp"
#include "artel/pool/detail/thread_runner.hpp"
#include "artel/pool/detail/timers.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/trace/recording.hpp"

namespace artel::pool {
namespace {

PoolOptions checked(PoolOptions options) {
  auto result = check(std::move(options));
  ARTEL_REQUIRE(result.has_value(), "pool options", result.error().what);
  return std::move(*result);
}

}  // namespace

namespace {

// Whether this is one of the pool's own threads, which has called exit(): that runs what the
// destructors of static objects do, and does not return to the task.
bool exits_inside_of(const detail::PoolCore& core, const detail::Timers& timers) {
  return detail::ThreadManners::exiting() &&
         (detail::worker_of(core) != nullptr || timers.on_own_thread());
}

}  // namespace

struct detail::PoolParts {
  explicit PoolParts(PoolOptions options)
      : core(std::move(options)),
        threads(core),
        timers(std::make_shared<Timers>(
            Timers::Options{.name = core.options.name.substr(0, 8) + "-timers"})),
        monitor(core, threads, *timers) {}

  PoolCore core;
  WorkerThreads threads;
  std::shared_ptr<Timers> timers;
  Monitor monitor;
};

Pool::Pool(std::unique_ptr<detail::PoolParts> parts)
    : parts_(parts.release()),
      core_(parts_->core),
      submission_(core_.submission),
      threads_(parts_->threads),
      timers_(parts_->timers) {}

// What this throws, the destructor follows.
Pool::Pool(PoolOptions options)
    : Pool(std::make_unique<detail::PoolParts>(checked(std::move(options)))) {
  threads_.start(core_.options.workers);
  if (!parts_->monitor.needed()) return;
  if (const auto started = parts_->monitor.start(); !started) {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                            started.error().what);
  }
}

Result<std::unique_ptr<Pool>> Pool::create(PoolOptions options) {
  auto result = check(std::move(options));
  if (!result) return fail(result);
  try {
    return std::make_unique<Pool>(std::move(*result));
  } catch (const std::system_error& error) {
    return fail(ErrorCode::unsupported, std::string("cannot start the workers: ") + error.what());
  }
}

Pool::~Pool() {
  const bool exits_inside = exits_inside_of(core_, *timers_);
  ARTEL_REQUIRE(detail::worker_of(core_) == nullptr || exits_inside,
                "a pool is destroyed by a thread that is not its worker");
  stop(exits_inside ? StopMode::cancel : StopMode::drain);
  static_cast<void>(stop_recording());
  if (!exits_inside) {
    delete parts_;
    return;
  }
  // At most one: a thread belongs to one pool. Kept in sight of leak checkers.
  static const detail::PoolParts* const left = parts_;
  static_cast<void>(left);
}

void Pool::fill(detail::SubmitConditions& conditions, const SubmitOptions& options, bool measured) {
  static_cast<detail::TaskTimes&>(conditions) = submission_.times(submission_.producer(), measured);
  conditions.of_conditions = 1;  // the assignment took it away
  conditions.deadline = options.deadline.at;
  conditions.stop = options.stop;
  conditions.size = options.size;
}

// Without options, as most tasks are.
void Pool::submit_node(detail::FutureNode& node) {
  detail::Producer& producer = submission_.producer();
  const bool measured = detail::Submission::measures_next(producer);
  if (measured || submission_.recording()) [[unlikely]] {
    fill(node.conditions(), {}, measured);
  } else {
    ++producer.unmeasured;
  }
  node.enqueue(&core_);
  if (push_again(producer, node)) return;
  const Admission admission = admit(node, {}, submission_.patience());
  if (admission != Admission::accepted) node.refuse(error_of(admission));
}

bool Pool::label(detail::FutureNode& node, const SubmitOptions& options) {
  detail::Producer& producer = submission_.producer();
  const bool conditions = options.deadline.at != kNever || options.stop.stop_possible() ||
                          options.size > Duration::zero();
  const bool measured = conditions || detail::Submission::measures_next(producer);
  if (measured || submission_.recording()) {
    fill(node.conditions(), options, measured);
  } else {
    ++producer.unmeasured;
  }
  return conditions;
}

Admission Pool::enqueue(detail::FutureNode& node, const SubmitOptions& options, Instant until) {
  const bool conditions = label(node, options);
  node.enqueue(&core_);
  if (!conditions && options.priority == Priority::normal &&
      push_again(submission_.producer(), node)) {
    return Admission::accepted;
  }
  return admit(node, options, until);
}

bool Pool::push_again(detail::Producer& producer, detail::FutureNode& node) {
  return submission_.push_again(
      producer, [&node](void* at) { ::new (at) detail::Job(detail::NodeBody{&node}); });
}

Admission Pool::admit(detail::FutureNode& node, const SubmitOptions& options, Instant until) {
  detail::Job job(detail::NodeBody{&node});
  Admission admission{};
  try {
    admission = submission_.admit(job, options.priority, options.hints(), until);
  } catch (...) {  // a policy of the user's, or no memory
    node.release();
    throw;
  }
  if (admission == Admission::accepted) {
    watch(node, options);
  } else {
    node.release();
  }
  return admission;
}

void Pool::watch(detail::FutureNode& node, const SubmitOptions& options) {
  if (options.deadline.at == kNever && !options.stop.stop_possible()) return;
  detail::EarlyEnd::arm(node, timers_, options.deadline.at, options.stop);
}

void Pool::end(StopMode mode) {
  const detail::NeverWaitsForRoom here;  // what is cancelled may have continuations
  parts_->monitor.stop();                // nothing is under way between queues any more
  timers_->stop();
  threads_.close();
  if (mode == StopMode::cancel) {
    core_.queues.cancel_pending();
    core_.stop.request_stop();
    purge();  // whatever the workers are doing
  }
  resume();
  core_.wakeups.wake_all();
}

void Pool::stop(StopMode mode) {
  end(mode);
  if (detail::worker_of(core_) != nullptr || exits_inside_of(core_, *timers_)) return;
  threads_.join_all();
}

std::vector<RunningTask> Pool::stop(StopMode mode, Deadline until) {
  const Instant called = steady_now();
  end(mode);
  const bool inside = detail::worker_of(core_) != nullptr || exits_inside_of(core_, *timers_);
  if (inside || !threads_.wait_finished(until.at)) return threads_.running_since(called);
  threads_.join_all();
  return {};
}

void Pool::pause() { core_.queues.set_paused(true); }

void Pool::resume() {
  core_.queues.set_paused(false);
  core_.wakeups.wake_all();
}

std::size_t Pool::purge() {
  const detail::NeverWaitsForRoom here;
  detail::ThreadRunner runner(core_, nullptr);
  const std::size_t count = core_.queues.drop_all(runner);
  core_.wakeups.wake_admitted();
  if (stopped()) core_.wakeups.wake_all();  // workers may have waited for these to end
  return count;
}

std::stop_token Pool::stop_token() const { return core_.stop.get_token(); }

void Pool::tell_refused(Admission admission) const {
  if (core_.options.on_refused) core_.options.on_refused(admission);
}

Result<void> Pool::resize(unsigned workers) {
  auto result = threads_.resize(workers);
  threads_.note_size();
  if (!result) return result;
  // Workers that leave may have to be forced, and a closed loop has others to choose from.
  if (core_.options.shrink_timeout != kForever || parts_->monitor.needed())
    return parts_->monitor.start();
  return result;
}

void Pool::attend(WorkerId id) {
  ARTEL_REQUIRE(index(id) < core_.options.workers_max, "no such worker", index(id));
  detail::WorkerSlot& slot = core_.queues.slot(id);
  slot.attention.store(true);  // before the wake-up: parker.hpp, P1
  core_.wakeups.wake(slot);
}

bool Pool::stopped() const { return core_.queues.closed(); }

Result<void> Pool::record(const std::string& file, const RecordOptions& options) {
  if (auto started = core_.recording.start(file, options); !started) return started;
  threads_.note_size();
  return {};
}

Result<trace::Recording> Pool::stop_recording() { return core_.recording.stop(); }

std::optional<trace::Recording> Pool::recording() const { return core_.recording.progress(); }

const PoolOptions& Pool::options() const { return core_.options; }

bool Pool::wait_resized(Deadline until) { return threads_.wait_resized(until.at); }

bool Pool::wait_idle(Deadline until) {
  return detail::worker_of(core_) == nullptr && core_.accounts.wait_idle(until.at);
}

unsigned Pool::size() const { return threads_.size(); }

std::optional<WorkerId> Pool::this_worker() const {
  const detail::Worker* const worker = detail::worker_of(core_);
  if (worker == nullptr) return std::nullopt;
  return worker->home().id;
}

}  // namespace artel::pool
