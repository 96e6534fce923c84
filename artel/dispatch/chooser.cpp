#include "artel/dispatch/chooser.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"

namespace artel::dispatch {
namespace {

// One count for the whole process: what somebody has seen of one chooser is never taken for
// another's.
std::uint64_t next_version() {
  static std::atomic<std::uint64_t> versions = 0;
  return ++versions;
}

}  // namespace

Chooser::Chooser(Policy policy)
    : policy_(std::move(policy)),
      needs_(dispatch::needs(policy_)),
      board_(std::make_unique<Board>()) {}

void Chooser::publish(Shares shares) {
  auto made = std::make_shared<const Shares>(std::move(shares));
  const std::lock_guard guard(board_->lock);
  board_->last.shares.swap(made);
  board_->last.version = next_version();
  board_->version.store(board_->last.version, std::memory_order_release);
}

void Chooser::publish(WeightedCycle cycle) {
  auto made = std::make_shared<const WeightedCycle>(std::move(cycle));
  const std::lock_guard guard(board_->lock);
  board_->last.cycle.swap(made);
  board_->last.version = next_version();
  board_->version.store(board_->last.version, std::memory_order_release);
}

Published Chooser::published() const {
  const std::lock_guard guard(board_->lock);
  return board_->last;
}

}  // namespace artel::dispatch
