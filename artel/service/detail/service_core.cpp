#include "artel/service/detail/service_core.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/deadline.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/pool/worker_handle.hpp"
#include "artel/service/service_options.hpp"
#include "artel/service/service_stats.hpp"
#include "artel/service/supervision.hpp"

namespace artel::service::detail {
namespace {

std::string describe(const std::exception_ptr& cause) {
  try {
    std::rethrow_exception(cause);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

std::string_view name(WorkerState state) {
  switch (state) {
    case WorkerState::vacant:
      return "vacant";
    case WorkerState::starting:
      return "starting";
    case WorkerState::serving:
      return "serving";
    case WorkerState::late:
      return "late";
    case WorkerState::waiting:
      return "waiting";
    case WorkerState::lost:
      return "lost";
  }
  return "";
}

/// What a thread of the service has; current_seat is this thread's.
struct ServiceCore::Seat {
  WorkerId id;
  pool::WorkerHandle thread;
  Object object{};
};

thread_local std::unique_ptr<ServiceCore::Seat> ServiceCore::current_seat;

pool::PoolOptions ServiceCore::with_hooks(pool::PoolOptions options, ServiceCore& core) {
  options.on_start = [&core, user = std::move(options.on_start)](WorkerId id) {
    if (user) user(id);
    core.enter(id);
  };
  options.on_stop = [&core, user = std::move(options.on_stop)](WorkerId id) {
    core.leave(id);
    if (user) user(id);
  };
  options.on_attend = [&core, user = std::move(options.on_attend)](WorkerId id) {
    if (current_seat->object.get() == nullptr && current_seat->thread.pause()) core.mend();
    if (user) user(id);
  };
  return options;
}

ServiceCore::ServiceCore(ServiceOptions options, Factory factory)
    : options_(std::move(options)),
      factory_(std::move(factory)),
      budget_(options_.supervision, options_.pool.seed),
      records_(options_.pool.workers_max),
      pool_(std::make_unique<pool::Pool>(with_hooks(options_.pool, *this))) {}

ServiceCore::~ServiceCore() { stop(pool::StopMode::drain); }

// ---- By whoever asks

Error ServiceCore::error() const {
  const std::lock_guard lock(lock_);
  return error_;
}

void ServiceCore::restart() {
  {
    const std::lock_guard lock(lock_);
    if (!given_up_.load()) return;
    budget_.reset();
    for (Record& record : records_) {
      record.failed_in_row = 0;
      record.build_at = Instant{};
    }
    given_up_.store(false);
  }
  for (std::size_t i = 0; i < records_.size(); ++i) {
    pool_->attend(static_cast<WorkerId>(static_cast<std::uint32_t>(i)));
  }
}

std::optional<Result<void>> ServiceCore::all_serving() const {
  if (pool_->stopped()) return fail(ErrorCode::closed, "the service has stopped");
  const unsigned size = pool_->size();
  const std::lock_guard lock(lock_);
  if (given_up_.load()) return tl::unexpected<Error>(error_);
  for (unsigned i = 0; i < size; ++i) {
    if (records_[i].state != WorkerState::serving) return std::nullopt;
  }
  return Result<void>{};
}

Result<void> ServiceCore::wait_serving(Instant until) {
  std::optional<Result<void>> answer;
  changed_.wait(until, [&] {
    answer = all_serving();
    return answer.has_value();
  });
  return answer.value_or(
      fail(ErrorCode::timeout, "not all workers of the service were built by the time given"));
}

Result<void> ServiceCore::resize(unsigned workers) {
  auto result = pool_->resize(workers);
  changed_.notify_all();  // who waits to be built may have to leave
  return result;
}

void ServiceCore::stop(pool::StopMode mode) { static_cast<void>(stop(mode, Deadline{})); }

std::vector<pool::RunningTask> ServiceCore::stop(pool::StopMode mode, Deadline until) {
  stopping_.store(true);
  changed_.notify_all();
  auto running = pool_->stop(mode, until);
  changed_.notify_all();
  return running;
}

WorkerHealth ServiceCore::health(const Record& record, const pool::WorkerStats& stats,
                                 Instant now) const {
  const bool late =
      record.state == WorkerState::serving && stats.beacon_wait > options_.beacon_limit;
  return {.state = late ? WorkerState::late : record.state,
          .since = now - record.since,
          .wait = record.state == WorkerState::waiting && record.build_at > now
                      ? record.build_at - now
                      : Duration::zero(),
          .built = record.built,
          .failures = record.failures,
          .last_failure = record.last_failure};
}

ServiceStats ServiceCore::stats() const {
  ServiceStats stats{.pool = pool_->stats(), .retried = retried_.load()};
  const Instant now = steady_now();
  const std::lock_guard lock(lock_);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    stats.workers.push_back(health(records_[i], stats.pool.workers[i], now));
    stats.built += records_[i].built;
    stats.failures += records_[i].failures;
  }
  if (given_up_.load()) stats.error = error_;
  return stats;
}

// ---- On a worker's thread

void ServiceCore::enter(WorkerId id) {
  current_seat = std::unique_ptr<Seat>(new Seat{id, pool::WorkerHandle::of_this_thread()});
  {
    const std::lock_guard lock(lock_);
    record(id).seat = current_seat.get();
  }
  if (current_seat->thread.pause()) mend();
}

void ServiceCore::leave(WorkerId /*id*/) {
  current_seat->object.reset(Removal::left);
  set_state(*current_seat, WorkerState::vacant);
  current_seat.reset();
}

void* ServiceCore::object() const { return current_seat->object.get(); }

bool ServiceCore::fatal() const {
  if (options_.fatal == Fatal::any_exception) return true;
  try {
    throw;
  } catch (const WorkerFailure&) {
    return true;
  } catch (...) {
    return false;
  }
}

void ServiceCore::broke(std::exception_ptr cause) {
  Seat& seat = *current_seat;
  const bool ours = seat.thread.pause();
  seat.object.reset(Removal::broken);
  if (!ours) return;  // another thread serves the slot, with an object of its own
  lost(seat, std::move(cause), true);
  pool_->attend(seat.id);
}

void ServiceCore::have_object_built() {
  Seat& seat = *current_seat;
  if (seat.thread.pause()) pool_->attend(seat.id);
}

void ServiceCore::unclaimed_exception() const {
  if (options_.pool.on_exception) options_.pool.on_exception(std::current_exception());
}

bool ServiceCore::ends_wait(const Seat& seat) const {
  return stopping_.load() || given_up() || seat.thread.pool_closed() || seat.thread.leaving();
}

// The slot is paused.
void ServiceCore::mend() {
  Seat& seat = *current_seat;
  for (;;) {
    Instant build_at;
    {
      const std::lock_guard lock(lock_);
      build_at = record(seat.id).build_at;
    }
    changed_.wait(build_at, [&] { return ends_wait(seat); });
    if (!seat.thread.owns_slot()) return;
    if (given_up()) {
      set_state(seat, WorkerState::lost);
      break;
    }
    if (seat.thread.leaving() || build(seat)) break;  // leaving: nothing will come to need one
  }
  seat.thread.resume();
}

bool ServiceCore::build(Seat& seat) {
  set_state(seat, WorkerState::starting);
  try {
    seat.object = factory_(seat.id);
  } catch (...) {
    lost(seat, std::current_exception(), false);
    return false;
  }
  {
    const std::lock_guard lock(lock_);
    Record& record = this->record(seat.id);
    ++record.built;
    record.built_at = steady_now();
  }
  set_state(seat, WorkerState::serving);
  return true;
}

void ServiceCore::lost(Seat& seat, std::exception_ptr cause, bool built) {
  const Instant now = steady_now();
  WorkerLoss loss{.worker = seat.id, .cause = std::move(cause), .built = built};
  {
    const std::lock_guard lock(lock_);
    Record& record = this->record(seat.id);
    const Supervision& supervision = options_.supervision;
    if (built && now - record.built_at > supervision.restarts_within) record.failed_in_row = 0;
    ++record.failed_in_row;
    ++record.failures;
    record.last_failure = describe(loss.cause);
    loss.wait = budget_.failed(now, record.failed_in_row);
    record.build_at = loss.wait ? later(now, *loss.wait) : Instant{};
    record.since = now;
    record.state = loss.wait ? WorkerState::waiting : WorkerState::lost;
    if (!loss.wait && !given_up_.load()) {
      error_ = {ErrorCode::closed,
                fmt::format("service '{}' has given up: its workers failed more than {} times in "
                            "{}, last worker {}: {}; remove the cause, then call restart()",
                            options_.pool.name, supervision.restarts_max,
                            format_duration(supervision.restarts_within), index(seat.id),
                            record.last_failure),
                ""};
      given_up_.store(true);
    }
  }
  changed_.notify_all();
  if (options_.on_loss) options_.on_loss(loss);
}

void ServiceCore::set_state(const Seat& seat, WorkerState state) {
  {
    const std::lock_guard lock(lock_);
    Record& record = this->record(seat.id);
    if (record.seat != &seat) return;  // another thread has come for the slot
    record.state = state;
    record.since = steady_now();
  }
  changed_.notify_all();
}

}  // namespace artel::service::detail
