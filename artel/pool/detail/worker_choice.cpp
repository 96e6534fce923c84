#include "artel/pool/detail/worker_choice.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"
#include "artel/pool/detail/live_loads.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {
namespace {

std::unique_ptr<const dispatch::WeightedCycle> make_cycle(const PoolOptions& options) {
  std::vector<double> weights(options.workers_max, 1.0);
  std::copy(options.weights.begin(), options.weights.end(), weights.begin());
  return std::make_unique<const dispatch::WeightedCycle>(weights);
}

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> versions = 0;
  return ++versions;
}

// The shares that this thread saw last, of whatever pool, so that sampling them takes no lock.
struct SeenShares {
  std::uint64_t version = 0;
  std::shared_ptr<const dispatch::Shares> shares;
};
thread_local SeenShares seen;

}  // namespace

WorkerChoice::WorkerChoice(const PoolOptions& options)
    : options_(options),
      needs_(dispatch::needs(options.dispatch)),
      cycle_(needs_.cycle ? make_cycle(options) : nullptr) {}

std::optional<WorkerId> WorkerChoice::choose(const LiveLoads& loads, Producer& producer,
                                             Duration size) {
  const dispatch::Draw draw{.turn = turns_.fetch_add(1, std::memory_order_relaxed),
                            .dice = needs_.dice ? producer.throw_dice() : 0,
                            .size = size,
                            .shares = needs_.shares ? seen_shares() : nullptr,
                            .cycle = cycle_.get()};
  if (!options_.on_decision) return dispatch::choose(options_.dispatch, loads, draw);
  // Whoever listens must see the loads that the policy saw: both get one copy of them.
  Decision decision{dispatch::LoadArray::copy_of(loads), draw, {}};
  decision.chosen = dispatch::choose(options_.dispatch, decision.loads, draw);
  options_.on_decision(decision);
  return decision.chosen;
}

const dispatch::Shares* WorkerChoice::seen_shares() {
  if (seen.version != shares_version_.load()) {
    const std::lock_guard lock(shares_lock_);
    seen = {shares_version_.load(), shares_};
  }
  return seen.shares.get();
}

void WorkerChoice::publish(std::shared_ptr<const dispatch::Shares> shares) {
  const std::lock_guard lock(shares_lock_);
  shares_ = std::move(shares);
  shares_version_.store(next_version());
}

}  // namespace artel::pool::detail
