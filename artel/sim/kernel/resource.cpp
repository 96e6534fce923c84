#include "artel/sim/kernel/resource.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/usage.hpp"

namespace artel::sim {

Lease::Lease(Resource& resource, std::uint64_t units)
    : resource_(&resource), units_(units), behind_(resource.leases_) {
  if (behind_ != nullptr) behind_->before_ = this;
  resource.leases_ = this;
}

Lease::Lease(Lease&& other) noexcept { take_over(other); }

Lease& Lease::operator=(Lease&& other) noexcept {
  if (this != &other) {
    release();
    take_over(other);
  }
  return *this;
}

/// Stands where the other stood. Requires: this one is empty.
void Lease::take_over(Lease& other) {
  if (other.resource_ == nullptr) return;
  resource_ = std::exchange(other.resource_, nullptr);
  units_ = other.units_;
  before_ = std::exchange(other.before_, nullptr);
  behind_ = std::exchange(other.behind_, nullptr);
  (before_ == nullptr ? resource_->leases_ : before_->behind_) = this;
  if (behind_ != nullptr) behind_->before_ = this;
}

void Lease::unlist() {
  (before_ == nullptr ? resource_->leases_ : before_->behind_) = behind_;
  if (behind_ != nullptr) behind_->before_ = before_;
  before_ = behind_ = nullptr;
  resource_ = nullptr;
}

void Lease::release() {
  if (resource_ == nullptr) return;
  Resource& resource = *resource_;
  unlist();
  resource.give_back(units_);
}

Resource::~Resource() {
  while (leases_ != nullptr) leases_->unlist();
}

bool Acquire::start(detail::Wait* parent, detail::ProcessState& process) {
  begin(parent, process);
  since_ = process.core().now();
  Resource& resource = *resource_;
  if (ready(process)) {
    resource.free_ -= units_;
    lease_ = Lease(resource, units_);
    resource.note_granted(*this);
    return true;
  }
  resource.waiting_.push(*this, priority_);
  resource.note_change();
  return false;
}

void Acquire::withdraw() {
  if (is_queued()) {
    resource_->waiting_.remove(*this);
    resource_->note_change();
    resource_->grant();  // it may have been a large request in the way of smaller ones
  }
  lease_.release();
}

// Whether it fits and would be the first in line.
bool Acquire::ready(const detail::ProcessState&) const {
  detail::PriorityWaitQueue& waiting = resource_->waiting_;
  return units_ <= resource_->free_ &&
         (waiting.empty() || priority_ < static_cast<Acquire&>(waiting.front()).priority_);
}

void Acquire::describe(std::string& text) const {
  if (!is_queued()) {
    text += "units of a resource";
    return;
  }
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
  note_change();
  grant();
}

void Resource::measure(std::shared_ptr<Usage> usage) {
  usage_ = std::move(usage);
  note_change();
}

void Resource::note_change() {
  if (usage_ == nullptr) return;
  usage_->set(static_cast<double>(total_ - free_) / static_cast<double>(total_), waiting_.size());
}

void Resource::note_granted(const Acquire& acquire) {
  if (usage_ == nullptr) return;
  note_change();
  usage_->waited(acquire.process().core().now() - acquire.since_);
}

void Resource::grant() {
  while (!waiting_.empty()) {
    auto& acquire = static_cast<Acquire&>(waiting_.front());
    if (acquire.units_ > free_) return;
    free_ -= acquire.units_;
    acquire.lease_ = Lease(*this, acquire.units_);
    waiting_.remove(acquire);
    note_granted(acquire);
    acquire.complete();
  }
}

}  // namespace artel::sim
