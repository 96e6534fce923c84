#include "artel/sim/model/compute.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/operation_id.hpp"

namespace artel::sim {

Compute::Compute(const ComputeOptions& options)
    : speed_(options.speed),
      cores_(options.cores),
      cores_free_(options.cores),
      memory_(options.memory),
      memory_free_(options.memory),
      use_(options.use) {
  ARTEL_REQUIRE(speed_ > 0 && std::isfinite(speed_), "a speed is positive", speed_);
  ARTEL_REQUIRE(cores_ >= 1, "a host has one core at least");
  if (time_shared()) share_cores();
}

Compute::~Compute() {
  for (const OperationId id : records_.ids()) records_.find(id)->listener.detach();
}

OperationId Compute::start_run(Computation computation, ComponentId notify) {
  return begin(std::move(computation), {.component = notify});
}

Task<ComputationOutcome> Compute::run(Computation computation) {
  Context& caller = co_await this_context();
  const ComponentId self = id();  // the Compute may be gone later
  Awaited<Compute> operation(*this, caller);
  operation.began(begin(std::move(computation), {caller.id(), &operation}));
  const std::uint64_t key = operation.key();
  const auto answer = co_await any_of(caller.next<ComputationStarted>().key(key).from(self),
                                      caller.next<ComputationFailed>().key(key).from(self));
  if (const auto* failed = std::get_if<1>(&answer)) co_return (*failed)->reason;
  const auto end = co_await any_of(caller.next<ComputationFinished>().key(key).from(self),
                                   caller.next<ComputationFailed>().key(key).from(self));
  if (const auto* failed = std::get_if<1>(&end)) co_return (*failed)->reason;
  co_return ComputationOutcome::finished;
}

OperationId Compute::begin(Computation computation, const Listener<Compute>& listener) {
  ARTEL_REQUIRE(computation.flops >= 0 && std::isfinite(computation.flops),
                "a computation is finite and not negative", computation.flops);
  ARTEL_REQUIRE(1 <= computation.cores_min && computation.cores_min <= computation.cores_max,
                "a computation runs on one core at least", computation.cores_min,
                computation.cores_max);
  const double flops = computation.flops;
  const OperationId id =
      records_.add({.computation = std::move(computation), .listener = listener, .left = flops});
  records_.find(id)->event = emit_self(detail::ComputeRequest{id});
  return id;
}

/// Why a computation cannot start now.
std::optional<ComputationOutcome> Compute::refusal(const Computation& computation) const {
  if (!up_) return ComputationOutcome::host_down;
  const std::uint32_t cores = time_shared() ? 1 : cores_free_;
  if (computation.cores_min > cores) return ComputationOutcome::not_enough_cores;
  if (computation.memory > memory_free_) return ComputationOutcome::not_enough_memory;
  return std::nullopt;
}

void Compute::on(const detail::ComputeRequest& request) {
  const OperationId id = request.operation;
  Record& record = *records_.find(id);
  if (const std::optional<ComputationOutcome> reason = refusal(record.computation)) {
    fail(id, *reason);
    return;
  }
  start(id, record);
  record.listener.tell(*this, ComputationStarted{id, record.cores});
}

// One computation per event, also when several end at once.
void Compute::on(const detail::ComputeEnd& end) {
  OperationId id = end.operation;
  if (time_shared()) {
    alarm_.rang();
    const std::optional<ActivityId> ended = share_.take_ended(now());
    if (!ended) {
      share_cores();
      return;
    }
    id = sharing_[FairShare::slot(*ended)];
  }
  Record& record = *records_.find(id);
  stop(record);
  record.listener.tell_end(*this, ComputationFinished{id});
  records_.remove(id);
}

/// Takes cores and memory; lets the rest of the work go on.
void Compute::start(OperationId id, Record& record) {
  const Computation& computation = record.computation;
  record.state = State::running;
  memory_free_ -= computation.memory;
  if (time_shared()) {
    record.cores = 1;
    record.activity = share_.add(now(), {.volume = record.left});
    const std::size_t slot = FairShare::slot(record.activity);
    if (sharing_.size() <= slot) sharing_.resize(slot + 1);
    sharing_[slot] = id;
    alarm_.set(*this, share_.next_end(), {});
    return;
  }
  record.cores = std::min(cores_free_, computation.cores_max);
  cores_free_ -= record.cores;
  const double speedup =
      computation.speedup ? computation.speedup(record.cores) : static_cast<double>(record.cores);
  ARTEL_REQUIRE(speedup > 0 && std::isfinite(speedup), "a speedup is positive", speedup,
                record.cores);
  record.rate = speed_ * speedup;
  record.since = now();
  record.event = emit_self(detail::ComputeEnd{id}, from_seconds(record.left / record.rate));
}

/// Gives cores and memory back; notes what is left to do.
void Compute::stop(Record& record) {
  record.left = left(record);
  record.state = State::preempted;
  memory_free_ += record.computation.memory;
  if (time_shared()) {
    share_.remove(now(), record.activity);
    alarm_.set(*this, share_.next_end(), {});
    return;
  }
  cores_free_ += record.cores;
  cancel(record.event);
}

void Compute::fail(OperationId id, ComputationOutcome reason) {
  records_.find(id)->listener.tell_end(*this, ComputationFailed{id, reason});
  records_.remove(id);
}

double Compute::left(const Record& record) const {
  if (record.state != State::running) return record.left;
  if (time_shared()) return share_.left(now(), record.activity).value_or(0);
  return std::max(0.0, record.left - record.rate * to_seconds(now() - record.since));
}

std::optional<double> Compute::cancel(OperationId id) {
  Record* record = records_.find(id);
  if (record == nullptr) return std::nullopt;
  if (record->state == State::running) stop(*record);
  if (record->state == State::requested) cancel(record->event);
  const double left = record->left;
  record->listener.detach();
  records_.remove(id);
  return left;
}

bool Compute::preempt(OperationId id) {
  Record* record = records_.find(id);
  if (record == nullptr || record->state != State::running) return false;
  stop(*record);
  return true;
}

bool Compute::resume(OperationId id) {
  Record* record = records_.find(id);
  if (record == nullptr || record->state != State::preempted) return false;
  if (refusal(record->computation)) return false;
  start(id, *record);
  return true;
}

std::optional<double> Compute::fraction_done(OperationId id) const {
  const Record* record = records_.find(id);
  if (record == nullptr) return std::nullopt;
  const double flops = record->computation.flops;
  return flops == 0 ? 0 : 1 - left(*record) / flops;
}

bool Compute::allocate(const Allocation& allocation) {
  if (allocation.cores > cores_free_ || allocation.memory > memory_free_) return false;
  cores_free_ -= allocation.cores;
  memory_free_ -= allocation.memory;
  allocated_.cores += allocation.cores;
  allocated_.memory += allocation.memory;
  if (time_shared()) share_cores();
  return true;
}

void Compute::deallocate(const Allocation& allocation) {
  ARTEL_REQUIRE(allocation.cores <= allocated_.cores && allocation.memory <= allocated_.memory,
                "more was given back than is set aside", allocation.cores, allocated_.cores,
                allocation.memory, allocated_.memory);
  cores_free_ += allocation.cores;
  memory_free_ += allocation.memory;
  allocated_.cores -= allocation.cores;
  allocated_.memory -= allocation.memory;
  if (time_shared()) share_cores();
}

/// Time-shared cores: those that are not set aside are there for all.
void Compute::share_cores() {
  share_.set_capacity(now(), [speed = speed_, cores = cores_free_](std::size_t n) {
    return speed * static_cast<double>(std::min<std::size_t>(n, cores));
  });
  alarm_.set(*this, share_.next_end(), {});
}

void Compute::set_up(bool up) {
  up_ = up;
  if (up) return;
  for (const OperationId id : records_.ids()) {
    Record& record = *records_.find(id);
    if (record.state == State::requested) continue;  // fails when its request comes
    if (record.state == State::running) stop(record);
    fail(id, ComputationOutcome::host_down);
  }
}

}  // namespace artel::sim
