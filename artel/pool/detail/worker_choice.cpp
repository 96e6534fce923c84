#include "artel/pool/detail/worker_choice.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/chooser.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/maglev_table.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/probe_pool.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"
#include "artel/pool/detail/live_loads.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {
namespace {

std::vector<double> weights_of(const PoolOptions& options) {
  std::vector<double> weights(options.workers_max, 1.0);
  std::copy(options.weights.begin(), options.weights.end(), weights.begin());
  return weights;
}

// Hosts count work from sizes: who reads work alone looks at no size.
bool reads_of_task(const dispatch::Policy& policy) {
  using enum dispatch::PolicyInput;
  const auto reads = std::visit(
      []<class Asked>(const Asked& asked) {
        if constexpr (std::is_same_v<Asked, dispatch::Custom>) {
          return asked.reads.value_or(Asked::kReads);
        } else {
          return Asked::kReads;
        }
      },
      policy);
  return reads.has(size) || reads.has(key) || reads.has(task_class) || reads.has(deadline);
}

// What this thread saw published last, by whatever pool, so that a decision takes no lock. Threads
// submit while their objects are being destroyed, too: then they ask each time.
struct Seen {
  dispatch::Published last;
  ~Seen();
};
constinit thread_local bool seen_gone = false;
thread_local Seen seen;
Seen::~Seen() { seen_gone = true; }

}  // namespace

WorkerChoice::WorkerChoice(const PoolOptions& options)
    : options_(options),
      chooser_(options.dispatch),
      by_task_(reads_of_task(chooser_.policy())),
      reads_clock_(chooser_.needs().inputs.has(dispatch::PolicyInput::now) ||
                   chooser_.needs().inputs.has(dispatch::PolicyInput::work)) {
  if (chooser_.needs().cycle) chooser_.publish(dispatch::WeightedCycle(weights_of(options)));
  const auto places = chooser_.needs().places;
  if (places > 0) chooser_.publish(dispatch::MaglevTable(weights_of(options), places));
  if (const auto prober = chooser_.prober()) {
    for (std::size_t i = 0; i < kAskers; ++i) asking_.emplace_back(*prober);
  }
}

std::optional<WorkerId> WorkerChoice::choose(const LiveLoads& loads, Producer& producer,
                                             const dispatch::TaskHints& hints, Instant now) {
  const std::uint64_t turn = turns_.fetch_add(1);  // before the look at resting_: monitor.hpp, O1
  if (resting_.load() && resting_.exchange(false)) [[unlikely]]
    wake_();
  dispatch::Published latest;
  dispatch::Published& published = seen_gone ? latest : seen.last;
  const auto draw =
      chooser_.draw(turn, [&] { return producer.throw_dice(); }, published, hints, now);
  if (!asking_.empty()) [[unlikely]]
    return choose_by_asking(loads, producer, draw);
  if (!options_.on_decision) return chooser_.choose(loads, draw);
  // Whoever listens must see the loads that the policy saw: both get one copy of them.
  Decision decision{dispatch::LoadArray::copy_of(loads), draw, {}};
  decision.chosen = chooser_.choose(decision.loads, draw);
  options_.on_decision(decision);
  return decision.chosen;
}

std::optional<WorkerId> WorkerChoice::choose_by_asking(const LiveLoads& loads,
                                                       const Producer& producer,
                                                       dispatch::Draw draw) {
  std::uint64_t thread = reinterpret_cast<std::uintptr_t>(&producer);  // each has its own
  Asking& asking = asking_[dispatch::splitmix64(thread) % kAskers];
  const auto asked = loads.reading<dispatch::Prequal::kReads>();
  std::unique_lock lock(asking.lock);
  draw.probes = &asking.prober.pool(draw.now);
  if (!options_.on_decision) {
    const auto chosen = chooser_.choose(loads, draw);
    asking.prober.decided(asked, draw, chosen);
    return chosen;
  }
  const dispatch::ProbePool known = *draw.probes;  // for whoever listens, who is not to hold others
  draw.probes = &known;
  Decision decision{dispatch::LoadArray::copy_of(loads), draw, {}};
  decision.chosen = chooser_.choose(decision.loads, draw);
  asking.prober.decided(decision.loads, draw, decision.chosen);
  lock.unlock();
  options_.on_decision(decision);
  return decision.chosen;
}

void WorkerChoice::publish(dispatch::Shares shares) { chooser_.publish(std::move(shares)); }

}  // namespace artel::pool::detail
