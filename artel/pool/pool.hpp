#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/core/deadline.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_schedule.hpp"
#include "artel/pool/detail/pool_sleep.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/stop_either.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_body.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/timer_node.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/pool/task_result.hpp"
#include "artel/pool/timer.hpp"
#include "artel/trace/recording.hpp"

namespace artel::pool {

namespace detail {
struct PoolCore;
struct PoolAccess;
struct PoolParts;
class WorkerThreads;
class Timers;
}  // namespace detail

template <class T>
class HostedTask;
class TaskScope;

/// A pool of threads that run tasks.
///
///     artel::pool::Pool pool{{.workers = 8, .dispatch = dispatch::Jsq{.d = 2}}};
///     auto answer = pool.submit([] { return 6 * 7; });
///     use(answer.get());
///
/// The submitter places its task by the pool's policy in the queue of a worker, as long as only
/// about 100 us of work (or the bound given) wait there; else in the common queue. Workers take
/// from their own queue, then from the common one, then half of what waits at somebody else, and
/// sleep when there is nothing. What a task submits stays with its worker unless others are idle.
///
/// Every accepted task ends once: accepted = done + failed + cancelled + expired, whenever nothing
/// is queued or running. A task gets in or is refused; refusals are told (Admission, or the Error
/// of the Future).
/// Cost:    post about 40 ns, submit about 100 ns and one allocation. Callables up to 56 bytes (one
///          in some, and while recording: 32) are queued in place; larger ones, and those with
///          options, up to 64 bytes go to recycled blocks, at 20 to 60 ns more. Beyond that they
///          are allocated.
/// Threads: any thread, and any task, may submit, ask, resize and stop. Destroying the pool drains
///          it (exit() in a task cancels it); only by one thread that is not its worker. A queue is
///          locked while a callable is moved in: its move constructor must not use the pool.
class Pool {
 public:
  using Options = PoolOptions;
  /// Starts the workers. Options that do not pass check() break the contract; see create().
  explicit Pool(PoolOptions options = {});
  /// Errors: options out of range, no more threads.
  [[nodiscard]] static Result<std::unique_ptr<Pool>> create(PoolOptions options);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  // ---- Tasks without a result. An exception of theirs goes to PoolOptions::on_exception.

  /// Runs `fn()` some time. When the pool is full, waits or refuses as PoolOptions::when_full says;
  /// a refusal is told to PoolOptions::on_refused as well. In a task, of any pool, it never waits:
  /// where another thread would, `fn` gets in at once, over the bound.
  template <class F>
  Admission post(F&& fn) {
    return told(post_until(callable(std::forward<F>(fn)), submission_.patience()));
  }
  template <class F>
  Admission post(F&& fn, const SubmitOptions& options) {
    detail::Job job = conditional_job(callable(std::forward<F>(fn), options.stop), options);
    return told(submission_.admit(job, options.priority, options.hints(), submission_.patience()));
  }
  /// Never waits.
  template <class F>
  [[nodiscard]] Admission try_post(F&& fn) {
    return post_until(callable(std::forward<F>(fn)), Instant::min());
  }
  /// Posts every callable, moving from it; how many were accepted.
  template <class Range>
  std::size_t post_all(Range&& callables) {
    std::size_t accepted = 0;
    for (auto& fn : callables) {
      if (post(std::move(fn)) != Admission::accepted) break;
      ++accepted;
    }
    return accepted;
  }

  // ---- Tasks with a result

  /// The Future of what `fn()` returns. Waits or refuses as post(): then it holds the Error.
  template <class F>
  auto submit(F&& fn) {
    auto node = task_node(callable(std::forward<F>(fn)));
    submit_node(*node);
    return detail::FutureAccess::make(std::move(node));
  }
  template <class F>
  auto submit(F&& fn, const SubmitOptions& options) -> Future<TaskResult<F>> {
    auto node = task_node(callable(std::forward<F>(fn), options.stop));
    const auto admission = enqueue(*node, options, submission_.patience());
    if (admission != Admission::accepted) node->refuse(error_of(admission));
    return detail::FutureAccess::make(std::move(node));
  }
  /// The same for `fn(args…)`, with copies of the arguments; std::ref passes a reference.
  template <class F, class Arg, class... Args>
    requires std::invocable<std::decay_t<F>, std::decay_t<Arg>, std::decay_t<Args>...>
  auto submit(F&& fn, Arg&& arg, Args&&... args) {
    return submit(
        [fn = std::forward<F>(fn),
         kept = std::tuple<std::decay_t<Arg>, std::decay_t<Args>...>(
             std::forward<Arg>(arg), std::forward<Args>(args)...)]() mutable -> decltype(auto) {
          return std::apply(std::move(fn), std::move(kept));
        });
  }
  /// Never waits. Errors: full (there is no room now), closed; `fn` is lost then.
  template <class F>
  [[nodiscard]] auto try_submit(F&& fn, const SubmitOptions& options = {})
      -> Result<Future<TaskResult<F>>> {
    return submit_until(std::forward<F>(fn), Instant::min(), options);
  }
  /// Waits for room until that time, of any clock; not in a task. Errors: timeout, closed.
  template <class F>
  [[nodiscard]] auto submit_until(F&& fn, Deadline until, const SubmitOptions& options = {})
      -> Result<Future<TaskResult<F>>> {
    auto node = task_node(callable(std::forward<F>(fn), options.stop));
    const auto admission = enqueue(*node, options, until.at);
    if (admission != Admission::accepted) {
      node->refuse(error_of(admission));  // ends the callable's life
      return tl::unexpected<Error>(error_of(admission));
    }
    return detail::FutureAccess::make(std::move(node));
  }
  /// Submits every callable of the range, moving from it; one Future for each.
  template <class Range>
  auto submit_all(Range&& callables, const SubmitOptions& options = {}) {
    using F = std::decay_t<decltype(*std::begin(callables))>;
    std::vector<Future<TaskResult<F>>> futures;
    for (auto& fn : callables) futures.push_back(submit(std::move(fn), options));
    return futures;
  }

  /// `co_await pool.schedule()` goes on in the pool. Throws TaskError if the pool refuses, or
  /// cancels what waits: the coroutine goes on where it is to find out.
  [[nodiscard]] auto schedule() { return detail::PoolSchedule(submission_); }

  // ---- Tasks by the clock (steady_now()); what they throw goes to PoolOptions::on_exception. A
  // pool that stops lets go of what is not due yet. It has a thread for timers, which wakes for
  // nothing else, as long as there are any. What is due is late by 0.07 ms at most, and by what it
  // waits for a worker.

  /// Posts `fn()` that much later. When the pool is full then, it gets in over the bound, or is
  /// refused, as PoolOptions::when_full says.
  /// Cost: about 0.2 us and an allocation. Errors: see Timer::error().
  template <class Rep, class Period, class F>
  Timer after(std::chrono::duration<Rep, Period> delay, F&& fn) {
    return at(later(steady_now(), to_duration(delay)), std::forward<F>(fn));
  }
  /// The same at that time, of any clock as it goes now; if it is past, at once.
  template <class F>
  Timer at(Deadline due, F&& fn) {
    return start_timer({.due = due.at}, std::forward<F>(fn));
  }
  /// Posts `fn()` again and again: the k-th run is due k periods from now, however long runs take.
  /// A run that comes while the one before is queued or running, too late, or to a full pool is
  /// skipped (Timer::skipped()). If `fn` returns a bool, false ends it. Requires: period > 0.
  template <class Rep, class Period, class F>
  Timer every(std::chrono::duration<Rep, Period> period, F&& fn) {
    static_assert(std::is_invocable_v<std::decay_t<F>&>, "it is called more than once");
    const Duration step = to_duration(period);
    ARTEL_REQUIRE(step > Duration::zero(), "a period is longer than 0");
    return start_timer({later(steady_now(), step), step}, std::forward<F>(fn));
  }
  /// `co_await pool.sleep(d)` goes on in the pool, that much later. Throws TaskError if it cannot
  /// sleep (unsupported, closed), or if the pool stops meanwhile (cancelled): then it goes on in
  /// whoever stops it.
  template <class Rep, class Period>
  [[nodiscard]] auto sleep(std::chrono::duration<Rep, Period> duration) {
    return detail::PoolSleep(submission_, *timers_, later(steady_now(), to_duration(duration)));
  }

  // ---- Tasks of a host of workers with a state: hosted_task.hpp

  /// Takes the task, waiting for room until that time. Errors: full, timeout, closed; then the task
  /// is gone.
  template <class T>
  [[nodiscard]] Result<Future<T>> submit_hosted(std::unique_ptr<HostedTask<T>> task, Instant until,
                                                const SubmitOptions& options = {}) {
    auto node = HostedTask<T>::node_of(std::move(task));
    static_cast<void>(label(*node, options));
    detail::Job job(HostedTask<T>::share(node));
    const Admission admission = submission_.admit(job, options.priority, options.hints(), until);
    if (admission != Admission::accepted) return tl::unexpected<Error>(error_of(admission));
    watch(*node, options);
    return detail::FutureAccess::make(std::move(node));
  }
  /// Until when submit() and post() wait for room, as when_full says: kNever or Instant::min().
  [[nodiscard]] Instant patience() const { return submission_.patience(); }

  // ---- Life

  /// Changes the number of workers, within workers_min and workers_max. Workers that leave finish
  /// what waits in their queue first; after PoolOptions::shrink_timeout it is taken from them.
  /// Returns at once. Errors: invalid, with the sizes possible; closed; unsupported: no thread.
  [[nodiscard]] Result<void> resize(unsigned workers);
  /// Waits until the threads of workers that leave have ended; false: not by then.
  [[nodiscard]] bool wait_resized(Deadline until = {});

  /// Waits until all tasks accepted so far, their continuations, and what these submit, have ended;
  /// false: not by then. From a task of this pool it is false at once: that one runs.
  [[nodiscard]] bool wait_idle(Deadline until = {});

  /// Lets no further task start until resume(); those that run go on, and may run what they wait
  /// for. Tasks are accepted as before, until the queues are full.
  void pause();
  void resume();
  /// Ends all tasks that wait as cancelled, and goes on; how many, a strand as one. What waits in a
  /// strand with a task that runs ends after that.
  std::size_t purge();

  /// Has the worker's thread call PoolOptions::on_attend as soon as it is between two tasks.
  /// Requires: below options().workers_max. A worker that is not there, or stops, does not call.
  void attend(WorkerId id);

  /// Refuses new tasks from outside, ends the ones there are, and joins the threads.
  ///
  /// Draining runs what waits, and all that running tasks submit, until nothing is left. Cancelling
  /// ends as cancelled what has not begun, in strands, graphs, loops and scopes too, refuses what
  /// running tasks submit, and requests stop of those that take a std::stop_token. Either way every
  /// Future is ready when it returns.
  /// Any number of times, from any threads: each call returns when all has ended; a second call may
  /// turn draining into cancelling. From a task of this pool it does not wait.
  void stop(StopMode mode = StopMode::drain);
  /// The same, but waits until then at most; gives the tasks that still run, which go on.
  [[nodiscard]] std::vector<RunningTask> stop(StopMode mode, Deadline until);
  /// Whether stop() was called: new tasks from outside are refused.
  [[nodiscard]] bool stopped() const;
  /// Requested by stop(StopMode::cancel).
  [[nodiscard]] std::stop_token stop_token() const;

  // ---- Recording

  /// Writes every task submitted from now on, when it has ended, to a trace file (`artel trace`),
  /// until stop_recording() or the end of the pool. Tasks that the disk is too slow for are
  /// counted, and run all the same. Cost:   about 50 ns per task, of all processors together; less
  /// than 20 bytes on disk. Errors: the file cannot be made, a recording is going on. The pool goes
  /// on in any case.
  [[nodiscard]] Result<void> record(const std::string& file, const RecordOptions& options = {});
  /// Ends the recording and says what it has; tasks that have not ended yet are not in it. One that
  /// its deadline or its stop token ended while it waited is in it once it would have had its turn;
  /// wait_idle() waits for that.
  /// Errors: no recording goes on, or the file could not be written to its end (disk full).
  Result<trace::Recording> stop_recording();
  /// How it goes, and what went wrong with the file; nothing: no recording goes on.
  [[nodiscard]] std::optional<trace::Recording> recording() const;

  // ---- Looking

  /// Open workers.
  [[nodiscard]] unsigned size() const;
  [[nodiscard]] const PoolOptions& options() const;
  /// A snapshot; about a microsecond per worker.
  [[nodiscard]] PoolStats stats() const;
  /// The worker of this pool on whose thread we are.
  [[nodiscard]] std::optional<WorkerId> this_worker() const;

 private:
  friend class TaskScope;
  friend struct detail::PoolAccess;

  // `fn`, or if that takes a std::stop_token, `fn` with the token of this task.
  template <class F>
  decltype(auto) callable(F&& fn, const std::stop_token& stop = {}) const {
    using Fn = std::decay_t<F>;
    if constexpr (std::invocable<Fn>) {
      return std::forward<F>(fn);
    } else {
      static_assert(std::invocable<Fn, std::stop_token>,
                    "a task takes no arguments, or a std::stop_token; else submit(fn, values...)");
      return [fn = Fn(std::forward<F>(fn)),
              stop = detail::StopEither(stop, stop_token())]() mutable -> decltype(auto) {
        return std::invoke(std::move(fn), stop.token());
      };
    }
  }
  // The refusal goes to PoolOptions::on_refused.
  Admission told(Admission admission) const {
    if (admission != Admission::accepted) [[unlikely]]
      tell_refused(admission);
    return admission;
  }
  void tell_refused(Admission admission) const;

  template <class F>
  static auto task_node(F&& fn) {
    using Fn = std::decay_t<F>;
    using T = std::invoke_result_t<Fn>;
    return detail::NodePtr<detail::ValueNode<T>>(new detail::TaskNode<T, Fn>(std::forward<F>(fn)));
  }

  template <class F>
  Timer start_timer(detail::TimerNode::When when, F&& fn) {
    using Node = detail::TimerOf<std::decay_t<F>>;
    auto node = std::make_shared<Node>(submission_, timers_, when, std::forward<F>(fn));
    detail::TimerNode::start(node);
    return Timer(std::move(node));
  }

  template <class F>
  Admission post_until(F&& fn, Instant until) {
    using Fn = std::decay_t<F>;
    detail::Producer& producer = submission_.producer();
    const bool measured = detail::Submission::measures_next(producer);
    if (measured || submission_.recording()) [[unlikely]] {
      using Body = detail::LabelledBody<detail::TaskTimes, Fn>;
      const auto times = submission_.times(producer, measured);
      return post_as<Fn, Body>(producer, until, std::forward<F>(fn), times);
    }
    ++producer.unmeasured;
    return post_as<Fn, detail::PlainBody<Fn>>(producer, until, std::forward<F>(fn));
  }

  // In a body that starts with the label, if there is one.
  template <class Fn, class Body, class F, class... Label>
  Admission post_as(detail::Producer& producer, Instant until, F&& fn, const Label&... label) {
    if constexpr (detail::Job::kFits<Body> && std::is_nothrow_constructible_v<Fn, F&&>) {
      const auto build = [&](void* at) {
        ::new (at) detail::Job(Body{label..., std::forward<F>(fn)});
      };
      if (submission_.push_again(producer, build)) return Admission::accepted;
      // What has no times needs no more; and what copies bytes alone does not submit.
      if constexpr (sizeof...(Label) == 0 && std::is_trivially_copyable_v<Fn>) {
        if (submission_.push_behind(build)) return Admission::accepted;
      }
    }
    detail::Job job(Body{label..., std::forward<F>(fn)});
    return submission_.admit(job, Priority::normal, {}, until);
  }

  template <class F>
  detail::Job conditional_job(F&& fn, const SubmitOptions& options) {
    detail::SubmitConditions conditions;
    fill(conditions, options, true);
    return detail::Job(detail::LabelledBody<detail::SubmitConditions, std::decay_t<F>>{
        std::move(conditions), std::forward<F>(fn)});
  }
  void fill(detail::SubmitConditions& conditions, const SubmitOptions& options, bool measured);
  void submit_node(detail::FutureNode& node);  // as submit()
  // Gives the node its times, if wanted, and conditions; whether push_again() cannot meet these.
  bool label(detail::FutureNode& node, const SubmitOptions& options);
  Admission enqueue(detail::FutureNode& node, const SubmitOptions& options, Instant until);
  bool push_again(detail::Producer& producer, detail::FutureNode& node);
  Admission admit(detail::FutureNode& node, const SubmitOptions& options, Instant until);
  void watch(detail::FutureNode& node, const SubmitOptions& options);  // of an accepted task
  void end(StopMode mode);                                             // all of stop() but waiting
  explicit Pool(std::unique_ptr<detail::PoolParts> parts);
  detail::PoolParts* parts_;  // tasks that outlive an exit() go on using it: not cleared at the end
  detail::PoolCore& core_;
  detail::Submission& submission_;  // what every task goes through
  detail::WorkerThreads& threads_;
  const std::shared_ptr<detail::Timers>& timers_;  // the handles of timers keep it, too
};

}  // namespace artel::pool
