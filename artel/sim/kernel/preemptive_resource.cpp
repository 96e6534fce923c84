#include "artel/sim/kernel/preemptive_resource.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/process.hpp"

namespace artel::sim {

Seat& Seat::operator=(Seat&& other) noexcept {
  if (this != &other) {
    release();
    take_over(other);
  }
  return *this;
}

/// Sits where the other sat. Requires: this one is empty.
void Seat::take_over(Seat& other) {
  resource_ = std::exchange(other.resource_, nullptr);
  process_ = std::move(other.process_);
  priority_ = other.priority_;
  since_ = other.since_;
  if (resource_ == nullptr) return;
  const auto [first, last] = resource_->seats_.equal_range(priority_);
  std::find_if(first, last, [&](const auto& seat) { return seat.second == &other; })->second = this;
}

void Seat::release() {
  if (resource_ == nullptr) return;
  PreemptiveResource& resource = *std::exchange(resource_, nullptr);
  const auto [first, last] = resource.seats_.equal_range(priority_);
  resource.seats_.erase(
      std::find_if(first, last, [&](const auto& seat) { return seat.second == this; }));
  resource.grant();
}

bool PreemptiveAcquire::start(detail::Wait* parent, detail::ProcessState& process) {
  begin(parent, process);
  PreemptiveResource& resource = *resource_;
  if (resource.seats_.size() == resource.units_) {
    const auto least = std::prev(resource.seats_.end());  // the last to come of the least urgent
    if (least->first <= priority_) {
      resource.waiting_.push(*this, priority_);
      return false;
    }
    Seat& lost = *least->second;
    resource.seats_.erase(least);
    lost.resource_ = nullptr;
    const Preempted cause{.since = lost.since_, .priority = priority_};
    std::exchange(lost.process_, ProcessRef()).interrupt(cause);
  }
  sit();
  return true;
}

void PreemptiveAcquire::sit() {
  seat_.resource_ = resource_;
  seat_.process_ = ProcessRef(process());
  seat_.priority_ = priority_;
  seat_.since_ = process().core->now();
  resource_->seats_.emplace(priority_, &seat_);
}

void PreemptiveAcquire::withdraw() {
  if (is_queued()) resource_->waiting_.remove(*this);
  seat_.release();
}

/// Gives free units to those that wait.
void PreemptiveResource::grant() {
  while (seats_.size() < units_ && !waiting_.empty()) {
    auto& acquire = static_cast<PreemptiveAcquire&>(waiting_.front());
    waiting_.remove(acquire);
    acquire.sit();
    acquire.complete();
  }
}

}  // namespace artel::sim
