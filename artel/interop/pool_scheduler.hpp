#pragma once

#include <atomic>
#include <chrono>
#include <stdexec/execution.hpp>
#include <thread>
#include <type_traits>
#include <utility>

#include "artel/interop/detail/bulk_sender.hpp"
#include "artel/interop/detail/pool_turn.hpp"
#include "artel/pool/pool.hpp"

namespace artel::interop {

/// A pool as a scheduler of std::execution, for NVIDIA's stdexec.
///
///     auto answer = stdexec::sync_wait(stdexec::schedule(interop::scheduler(pool)) |
///                                      stdexec::then([] { return 6 * 7; }));
///
/// What follows schedule() runs on a worker of the pool, as one task. It is stopped instead, not
/// run, if the pool refuses or cancels that task, or if the receiver was asked to stop before the
/// task started; then it may end on any thread. bulk, bulk_chunked and bulk_unchunked with a
/// parallel policy are several tasks.
///
/// Cost:     that of Pool::post, without an allocation.
/// Requires: the pool outlives whatever was started on it; once that has ended it may go.
/// Errors:   none of its own. start() waits for room, as PoolOptions::when_full says.
/// Threads:  any; copies are equal.
class PoolScheduler {
 public:
  using scheduler_concept = stdexec::scheduler_t;

  explicit PoolScheduler(pool::Pool& pool) noexcept : pool_(&pool) {}

  /// The sender that completes on a worker.
  ///
  /// For stdexec: query(), and connect() and start() of what schedule() gives.
  [[nodiscard]] auto schedule() const noexcept;

  [[nodiscard]] auto query(stdexec::get_forward_progress_guarantee_t /*asked*/) const noexcept {
    return stdexec::forward_progress_guarantee::parallel;
  }
  [[nodiscard]] auto query(stdexec::get_completion_scheduler_t<stdexec::set_value_t> /*asked*/)
      const noexcept -> PoolScheduler {
    return *this;
  }
  [[nodiscard]] auto query(
      stdexec::get_completion_domain_t<stdexec::set_value_t> /*asked*/) const noexcept;

  bool operator==(const PoolScheduler&) const = default;

 private:
  struct Domain;
  class Sender;
  template <class Receiver>
  class Operation;

  pool::Pool* pool_;
};

/// The scheduler of this pool.
[[nodiscard]] inline PoolScheduler scheduler(pool::Pool& pool) noexcept {
  return PoolScheduler(pool);
}

// ---- How it is done

/// What schedule() becomes when it is connected: one task.
///
/// Whoever waits for the end may destroy the pool right after it, and the thread in start() may
/// still be inside post() by then. So what the pool does with the task waits until start() has come
/// back. It is not long: what is left of post() when the task is in is to wake a worker.
template <class Receiver>
class PoolScheduler::Operation {
 public:
  using operation_state_concept = stdexec::operation_state_t;

  Operation(pool::Pool& pool, Receiver receiver) : pool_(pool), receiver_(std::move(receiver)) {}
  Operation(Operation&&) = delete;

  void start() & noexcept {
    starter_ = std::this_thread::get_id();
    detail::post_turn(pool_, *this);
    if (refused_) {
      stdexec::set_stopped(std::move(receiver_));
    } else {
      started_.store(true);  // we may be gone now
    }
  }

 private:
  friend class detail::PoolTurn<Operation>;

  void run() noexcept {
    wait_started();
    if (stdexec::get_stop_token(stdexec::get_env(receiver_)).stop_requested()) {
      stdexec::set_stopped(std::move(receiver_));
    } else {
      stdexec::set_value(std::move(receiver_));
    }
  }
  void dropped() noexcept {
    if (!started_.load() && starter_ == std::this_thread::get_id()) {
      refused_ = true;
      return;
    }
    wait_started();
    stdexec::set_stopped(std::move(receiver_));
  }
  void wait_started() const noexcept {
    constexpr int kYields = 100;  // then let threads of lower priority in, too
    for (int i = 0; !started_.load(); ++i) {
      if (i < kYields) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
  }

  pool::Pool& pool_;
  Receiver receiver_;
  std::thread::id starter_;
  bool refused_ = false;  // of the starter
  std::atomic<bool> started_ = false;
};

class PoolScheduler::Sender {
 public:
  using sender_concept = stdexec::sender_t;
  using completion_signatures =
      stdexec::completion_signatures<stdexec::set_value_t(), stdexec::set_stopped_t()>;

  explicit Sender(pool::Pool& pool) noexcept : pool_(&pool) {}

  /// For stdexec.
  template <stdexec::receiver Receiver>
  [[nodiscard]] auto connect(Receiver receiver) const {
    return Operation<Receiver>(*pool_, std::move(receiver));
  }
  /// What is stopped may end elsewhere, so the scheduler is told for values alone.
  [[nodiscard]] PoolScheduler get_env() const noexcept { return PoolScheduler(*pool_); }

 private:
  pool::Pool* pool_;
};

inline auto PoolScheduler::schedule() const noexcept { return Sender(*pool_); }

/// Where bulk algorithms that follow a scheduler's work become tasks.
struct PoolScheduler::Domain : stdexec::default_domain {
  /// For stdexec: the sender that runs the bulk algorithm as tasks.
  template <detail::BulkAlgorithm Bulk, class Env>
  auto transform_sender(stdexec::set_value_t /*where*/, Bulk&& bulk, const Env& env) const {
    auto& [tag, work, child] = bulk;
    auto& [policy, shape, fn] = work;  // stdexec wraps the policy
    if constexpr (detail::kParallel<std::remove_cvref_t<decltype(policy.__get())>>) {
      const PoolScheduler on =
          stdexec::get_completion_scheduler<stdexec::set_value_t>(stdexec::get_env(child), env);
      return stdexec::let_value(
          static_cast<detail::LikeOf<Bulk, decltype(child)>>(child),
          detail::start_bulk<stdexec::tag_of_t<Bulk>>(on, *on.pool_, shape, fn));
    } else {
      return std::forward<Bulk>(bulk);
    }
  }
};

inline auto PoolScheduler::query(
    stdexec::get_completion_domain_t<stdexec::set_value_t> /*asked*/) const noexcept {
  return Domain{};
}

}  // namespace artel::interop
