#include "artel/dispatch/chooser.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "artel/dispatch/maglev_table.hpp"
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
      draws_alone_(!needs_.shares && !needs_.cycle && needs_.places == 0 && !needs_.probes),
      board_(std::make_unique<Board>()) {}

template <class T>
void Chooser::put(std::shared_ptr<const T> Published::* where, T made) {
  auto kept = std::make_shared<const T>(std::move(made));
  const std::lock_guard guard(board_->lock);
  (board_->last.*where).swap(kept);
  board_->last.version = next_version();
  board_->version.store(board_->last.version, std::memory_order_release);
}

void Chooser::publish(Shares shares) { put(&Published::shares, std::move(shares)); }
void Chooser::publish(WeightedCycle cycle) { put(&Published::cycle, std::move(cycle)); }
void Chooser::publish(MaglevTable table) { put(&Published::table, std::move(table)); }

Published Chooser::published() const {
  const std::lock_guard guard(board_->lock);
  return board_->last;
}

}  // namespace artel::dispatch
