#include "artel/sim/model/disk.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
#include "artel/sim/kernel/usage.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

FairShare::Capacity total(double bandwidth, const std::function<double(std::size_t)>& efficiency) {
  if (!efficiency) return [bandwidth](std::size_t) { return bandwidth; };
  return [bandwidth, efficiency](std::size_t n) { return bandwidth * efficiency(n); };
}

void add_done(trace::Fingerprint& print, OperationId operation, std::uint64_t bytes,
              DiskOutcome outcome) {
  print.add(index(operation));
  print.add(bytes);
  print.add(index(outcome));
}

}  // namespace

std::string_view describe(DiskOutcome outcome) {
  switch (outcome) {
    case DiskOutcome::done:
      return "done";
    case DiskOutcome::larger_than_disk:
      return "larger than the disk";
    case DiskOutcome::no_space:
      return "no space";
  }
  return "?";
}

void add_to(trace::Fingerprint& print, const DiskReadDone& done) {
  add_done(print, done.operation, done.bytes, done.outcome);
}
void add_to(trace::Fingerprint& print, const DiskWriteDone& done) {
  add_done(print, done.operation, done.bytes, done.outcome);
}

Disk::ChannelState::ChannelState(const DiskChannel& options)
    : share(total(options.bandwidth, options.efficiency)),
      efficiency(options.efficiency),
      factor(options.factor),
      operations_max(options.operations_max) {
  ARTEL_REQUIRE(options.bandwidth > 0 && std::isfinite(options.bandwidth),
                "a bandwidth is positive", options.bandwidth);
  ARTEL_REQUIRE(operations_max >= 1, "a disk does at least one operation at once");
}

Disk::Disk(const DiskOptions& options)
    : capacity_(options.capacity),
      used_(options.used),
      channels_{ChannelState(options.read), ChannelState(options.write)} {
  ARTEL_REQUIRE(used_ <= capacity_, "more is used than there is", used_, capacity_);
}

Disk::~Disk() {
  for (const OperationId id : operations_.ids()) operations_.find(id)->listener.detach();
}

OperationId Disk::start_read(std::uint64_t bytes, ComponentId notify) {
  return begin(Access::read, bytes, {.component = notify});
}

OperationId Disk::start_write(std::uint64_t bytes, ComponentId notify) {
  return begin(Access::write, bytes, {.component = notify});
}

Task<DiskOutcome> Disk::read(std::uint64_t bytes) {
  Context& caller = co_await this_context();
  Awaited<Disk> operation(*this, caller);
  operation.began(begin(Access::read, bytes, {caller.id(), &operation}));
  const auto done = co_await caller.next<DiskReadDone>().key(operation.key()).from(id());
  co_return done->outcome;
}

Task<DiskOutcome> Disk::write(std::uint64_t bytes) {
  Context& caller = co_await this_context();
  Awaited<Disk> operation(*this, caller);
  operation.began(begin(Access::write, bytes, {caller.id(), &operation}));
  const auto done = co_await caller.next<DiskWriteDone>().key(operation.key()).from(id());
  co_return done->outcome;
}

OperationId Disk::begin(Access access, std::uint64_t bytes, const Listener<Disk>& listener) {
  const OperationId id =
      operations_.add({.listener = listener, .bytes = bytes, .access = access, .submitted = now()});
  if (const std::optional<DiskOutcome> reason = refusal(access, bytes)) {
    end(id, *reason);
    return id;
  }
  if (access == Access::write) used_ += bytes;
  channel(access).waiting.push_back(id);
  start_waiting(access);
  return id;
}

/// Why an operation cannot begin.
std::optional<DiskOutcome> Disk::refusal(Access access, std::uint64_t bytes) const {
  if (bytes > capacity_) return DiskOutcome::larger_than_disk;
  if (access == Access::write && bytes > available()) return DiskOutcome::no_space;
  return std::nullopt;
}

void Disk::end(OperationId id, DiskOutcome outcome) {
  const Operation& operation = *operations_.find(id);
  const std::uint64_t bytes = operation.bytes;
  if (operation.access == Access::read) {
    operation.listener.tell_end(*this, DiskReadDone{id, bytes, outcome});
  } else {
    operation.listener.tell_end(*this, DiskWriteDone{id, bytes, outcome});
  }
  operations_.remove(id);
}

/// Lets those that wait begin as far as the limit allows, and sets the alarm for the next end.
void Disk::start_waiting(Access access) {
  ChannelState& in = channel(access);
  while (!in.waiting.empty() && in.share.size() < in.operations_max) {
    const OperationId id = in.waiting.front();
    in.waiting.pop_front();
    Operation& operation = *operations_.find(id);
    operation.activity =
        in.share.add(now(), {.volume = static_cast<double>(operation.bytes),
                             .factor = in.factor ? in.factor(operation.bytes, random()) : 1.0});
    operation.under_way = true;
    const std::size_t slot = FairShare::slot(operation.activity);
    if (in.under_way.size() <= slot) in.under_way.resize(slot + 1);
    in.under_way[slot] = id;
    if (in.usage) in.usage->waited(now() - operation.submitted);
  }
  in.note();
  in.alarm.set(*this, in.share.next_end(), {access});
}

// One operation per event, also when several end at once.
void Disk::on(const detail::DiskDue& due) {
  ChannelState& in = channel(due.access);
  in.alarm.rang();
  if (const std::optional<ActivityId> ended = in.share.take_ended(now())) {
    end(in.under_way[FairShare::slot(*ended)], DiskOutcome::done);
  }
  start_waiting(due.access);
}

std::optional<double> Disk::cancel(OperationId id) {
  const Operation* found = operations_.find(id);
  if (found == nullptr) return std::nullopt;
  const Operation operation = *found;
  operation.listener.detach();
  operations_.remove(id);
  if (operation.access == Access::write) used_ -= operation.bytes;
  ChannelState& in = channel(operation.access);
  if (!operation.under_way) {
    in.waiting.erase(std::find(in.waiting.begin(), in.waiting.end(), id));
    in.note();
    return static_cast<double>(operation.bytes);
  }
  const std::optional<double> left = in.share.remove(now(), operation.activity);
  start_waiting(operation.access);
  return left;
}

std::optional<double> Disk::left(OperationId id) const {
  const Operation* operation = operations_.find(id);
  if (operation == nullptr) return std::nullopt;
  if (!operation->under_way) return static_cast<double>(operation->bytes);
  return channel(operation->access).share.left(now(), operation->activity);
}

void Disk::set_bandwidth(Access access, double bandwidth) {
  ARTEL_REQUIRE(bandwidth >= 0 && std::isfinite(bandwidth),
                "a bandwidth is finite and not negative", bandwidth);
  ChannelState& in = channel(access);
  in.share.set_capacity(now(), total(bandwidth, in.efficiency));
  in.alarm.set(*this, in.share.next_end(), {access});
}

void Disk::measure(Statistics& statistics, std::string_view name) {
  const std::string prefix(name);
  channel(Access::read).usage = statistics.usage(prefix + ".read");
  channel(Access::write).usage = statistics.usage(prefix + ".write");
  for (const ChannelState& in : channels_) in.note();
}

void Disk::ChannelState::note() const {
  if (usage) usage->set(share.size() > 0 ? 1 : 0, waiting.size());
}

void Disk::free(std::uint64_t bytes) {
  ARTEL_REQUIRE(bytes <= used_, "more space was freed than is used", bytes, used_);
  used_ -= bytes;
}

}  // namespace artel::sim
