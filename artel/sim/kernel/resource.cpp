#include "artel/sim/kernel/resource.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "artel/error/contract.hpp"
#include "artel/sim/kernel/wait.hpp"
#include "artel/sim/kernel/wait_queue.hpp"

namespace artel::sim {

void Lease::release() {
  if (Resource* resource = std::exchange(resource_, nullptr)) resource->give_back(units_);
}

bool Acquire::start(Wait* parent, ProcessState& process) {
  begin(parent, process);
  Resource& resource = *resource_;
  if (resource.waiting_.empty() && units_ <= resource.free_) {
    resource.free_ -= units_;
    lease_ = Lease(resource, units_);
    return true;
  }
  QueuedWait* next = resource.waiting_.front();
  while (next != nullptr && static_cast<Acquire*>(next)->priority_ <= priority_) {
    next = WaitQueue::behind(*next);
  }
  resource.waiting_.insert_before(next, *this);
  return false;
}

void Acquire::withdraw() {
  if (is_queued()) {
    leave_queue();
    resource_->grant();  // it may have been a large request in the way of smaller ones
  }
  lease_.release();
}

void Acquire::describe(std::string& text) const {
  text += std::to_string(units_) + " of " + std::to_string(resource_->total()) +
          " units of a resource, " + std::to_string(resource_->free()) + " free";
}

Acquire Resource::acquire(std::uint64_t units, std::int64_t priority) {
  ARTEL_REQUIRE(units >= 1 && units <= total_, "a resource cannot give so many units", units,
                total_);
  return {*this, units, priority};
}

void Resource::give_back(std::uint64_t units) {
  free_ += units;
  grant();
}

void Resource::grant() {
  while (QueuedWait* front = waiting_.front()) {
    auto& acquire = static_cast<Acquire&>(*front);
    if (acquire.units_ > free_) return;
    free_ -= acquire.units_;
    acquire.lease_ = Lease(*this, acquire.units_);
    waiting_.remove(acquire);
    acquire.complete();
  }
}

}  // namespace artel::sim
