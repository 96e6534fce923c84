#include "artel/sim/model/compute.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
#include "artel/sim/kernel/usage.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/operation_id.hpp"

namespace artel::sim {

Compute::Compute(const ComputeOptions& options)
    : speed_(options.speed),
      cores_(options.cores),
      cores_free_(options.cores),
      memory_(options.memory),
      memory_free_(options.memory),
      use_(options.use),
      power_(options.power),
      watts_(options.power.idle) {
  ARTEL_REQUIRE(speed_ > 0 && std::isfinite(speed_), "a speed is positive", speed_);
  ARTEL_REQUIRE(cores_ >= 1, "a host has one core at least");
  noted_ = now();
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
  ARTEL_REQUIRE(computation.weight > 0 && std::isfinite(computation.weight), "a weight is positive",
                computation.weight);
  ARTEL_REQUIRE(computation.bound > 0, "a bound is positive", computation.bound);
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
    const std::optional<ActivityId> ended =
        is_bounded_ ? bounded_share_.take_ended(now()) : share_.take_ended(now());
    if (!ended) {
      share_cores();
      return;
    }
    id = sharing_[FairShare::slot(*ended)];
  }
  Record& record = *records_.find(id);
  stop(record);
  if (usage_) usage_->waited(now() - record.started);
  record.listener.tell_end(*this, ComputationFinished{id});
  records_.remove(id);
}

/// Takes cores and memory; lets the rest of the work go on.
void Compute::start(OperationId id, Record& record) {
  const Computation& computation = record.computation;
  const bool is_equal = computation.weight == 1 && std::isinf(computation.bound);
  if (time_shared() && !is_equal && !is_bounded_) share_by_bounds();
  if (record.state == State::requested) record.started = now();
  record.state = State::running;
  ++running_;
  memory_free_ -= computation.memory;
  if (time_shared()) {
    record.cores = 1;
    share(id, record);
    alarm_.set(*this, next_end(), {});
    note_change();
    return;
  }
  record.cores = std::min(cores_free_, computation.cores_max);
  cores_free_ -= record.cores;
  const double speedup =
      computation.speedup ? computation.speedup(record.cores) : static_cast<double>(record.cores);
  ARTEL_REQUIRE(speedup > 0 && std::isfinite(speedup), "a speedup is positive", speedup,
                record.cores);
  record.speedup = speedup;
  schedule_end(id, record);
  note_change();
}

/// On dedicated cores, at the present speed.
void Compute::schedule_end(OperationId id, Record& record) {
  record.rate = std::min(speed_ * record.speedup, record.computation.bound);
  record.since = now();
  const Duration takes = record.rate > 0   ? from_seconds(record.left / record.rate)
                         : record.left > 0 ? kForever
                                           : Duration{};
  record.event = emit_self(detail::ComputeEnd{id}, takes);
}

/// Gives cores and memory back; notes what is left to do.
void Compute::stop(Record& record) {
  record.left = left(record);
  record.state = State::preempted;
  --running_;
  memory_free_ += record.computation.memory;
  if (time_shared()) {
    unshare(record);
    if (running_ == 0) is_bounded_ = false;
    alarm_.set(*this, next_end(), {});
  } else {
    cores_free_ += record.cores;
    cancel(record.event);
  }
  note_change();
}

void Compute::fail(OperationId id, ComputationOutcome reason) {
  records_.find(id)->listener.tell_end(*this, ComputationFailed{id, reason});
  records_.remove(id);
}

double Compute::left(const Record& record) const {
  if (record.state != State::running) return record.left;
  if (is_bounded_) return bounded_share_.left(now(), record.activity);
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
  bounded_share_.set_capacity(now(), speed_ * static_cast<double>(cores_free_), speed_);
  alarm_.set(*this, next_end(), {});
  note_change();
}

/// Lets a computation have its part of the cores.
void Compute::share(OperationId id, Record& record) {
  const Computation& computation = record.computation;
  record.activity = is_bounded_ ? bounded_share_.add(now(), {.volume = record.left,
                                                             .weight = computation.weight,
                                                             .bound = computation.bound})
                                : share_.add(now(), {.volume = record.left});
  const std::size_t place = FairShare::slot(record.activity);
  if (sharing_.size() <= place) sharing_.resize(place + 1);
  sharing_[place] = id;
}

/// Takes it back; the flops that it still has to go.
double Compute::unshare(const Record& record) {
  if (is_bounded_) return bounded_share_.remove(now(), record.activity);
  return share_.remove(now(), record.activity).value_or(0);
}

/// From the equal shares to those by weights and bounds, for what runs.
void Compute::share_by_bounds() {
  std::vector<OperationId> running = records_.ids();
  std::erase_if(running,
                [this](OperationId id) { return records_.find(id)->state != State::running; });
  for (const OperationId id : running) records_.find(id)->left = unshare(*records_.find(id));
  is_bounded_ = true;
  for (const OperationId id : running) share(id, *records_.find(id));
}

Instant Compute::next_end() const {
  return is_bounded_ ? bounded_share_.next_end() : share_.next_end();
}

void Compute::set_speed(double speed) {
  ARTEL_REQUIRE(speed >= 0 && std::isfinite(speed), "a speed is not negative", speed);
  for (const OperationId id : records_.ids()) {
    Record& record = *records_.find(id);
    if (time_shared() || record.state != State::running) continue;
    record.left = left(record);
    cancel(record.event);
  }
  speed_ = speed;
  if (time_shared()) return share_cores();
  for (const OperationId id : records_.ids()) {
    Record& record = *records_.find(id);
    if (record.state == State::running) schedule_end(id, record);
  }
}

void Compute::host(const ProcessRef& process) {
  // Each is looked at as often as the list doubles.
  if (processes_.size() == processes_.capacity())
    std::erase_if(processes_, [](const ProcessRef& one) { return one.done(); });
  processes_.push_back(process);
  if (!up_) process.cancel();
}

double Compute::utilisation() const {
  const auto all = static_cast<double>(cores_);
  if (is_bounded_ && speed_ > 0) return bounded_share_.total_rate() / (speed_ * all);
  if (time_shared()) return static_cast<double>(std::min<std::size_t>(running_, cores_free_)) / all;
  return static_cast<double>(cores_ - cores_free_ - allocated_.cores) / all;
}

double Compute::watts() const {
  if (!up_) return power_.off;
  return power_.idle + (power_.full - power_.idle) * utilisation();
}

double Compute::energy() const { return joules_ + watts_ * to_seconds(now() - noted_); }

void Compute::note_change() {
  joules_ = energy();
  noted_ = now();
  watts_ = watts();
  if (usage_) usage_->set(utilisation(), running_);
}

void Compute::measure(Statistics& statistics, std::string_view name) {
  usage_ = statistics.usage(name, {.queue = "running", .wait = "time"});
  note_change();
}

void Compute::set_up(bool up) {
  up_ = up;
  note_change();
  if (up) return;
  const auto processes = std::exchange(processes_, {});
  for (const ProcessRef& process : processes) process.cancel();
  for (const OperationId id : records_.ids()) {
    Record& record = *records_.find(id);
    if (record.state == State::requested) continue;  // fails when its request comes
    if (record.state == State::running) stop(record);
    fail(id, ComputationOutcome::host_down);
  }
}

}  // namespace artel::sim
