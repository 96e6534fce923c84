#include "artel/sim/kernel/preemptive_resource.hpp"

#include <exception>
#include <iterator>
#include <memory>
#include <utility>

#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/usage.hpp"

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
  since_ = other.since_;
  place_ = other.place_;
  if (resource_ != nullptr) place_->second = this;
}

void Seat::release() {
  if (resource_ == nullptr) return;
  PreemptiveResource& resource = *std::exchange(resource_, nullptr);
  resource.seats_.erase(place_);
  resource.note_change();
  resource.grant();
}

bool PreemptiveAcquire::start(detail::Wait* parent, detail::ProcessState& process) {
  begin(parent, process);
  came_ = detail::now_of(process);
  PreemptiveResource& resource = *resource_;
  if (resource.seats_.size() == resource.units_) {
    const auto least = std::prev(resource.seats_.end());  // the last to come of the least urgent
    if (least->first <= priority_) {
      resource.waiting_.push(*this, priority_);
      resource.note_change();
      return false;
    }
    Seat& lost = *least->second;
    const Preempted cause{.since = lost.since_, .priority = priority_};
    const ProcessRef loser = resource.take_away(lost);
    sit();  // before code of the model runs, so that nobody else gets the unit
    detail::throw_later(loser.state(), std::make_exception_ptr(Interrupted(cause)));
    return true;
  }
  sit();
  return true;
}

PreemptiveResource::~PreemptiveResource() {
  while (!seats_.empty()) take_away(*seats_.begin()->second);
}

/// Who is to learn of it.
ProcessRef PreemptiveResource::take_away(Seat& seat) {
  seats_.erase(seat.place_);
  seat.resource_ = nullptr;
  return std::exchange(seat.process_, ProcessRef());
}

void PreemptiveAcquire::sit() {
  seat_.resource_ = resource_;
  seat_.process_ = ProcessRef(process());
  seat_.since_ = detail::now_of(process());
  seat_.place_ = resource_->seats_.emplace(priority_, &seat_);
  if (resource_->usage_ == nullptr) return;
  resource_->note_change();
  resource_->usage_->waited(seat_.since_ - came_);
}

void PreemptiveAcquire::withdraw() {
  if (is_queued()) {
    resource_->waiting_.remove(*this);
    resource_->note_change();
  }
  seat_.release();
}

void PreemptiveResource::measure(std::shared_ptr<Usage> usage) {
  usage_ = std::move(usage);
  note_change();
}

void PreemptiveResource::note_change() {
  if (usage_ == nullptr) return;
  usage_->set(static_cast<double>(seats_.size()) / static_cast<double>(units_), waiting_.size());
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
