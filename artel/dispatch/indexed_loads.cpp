#include "artel/dispatch/indexed_loads.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/detail/worker_set.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {
namespace {

/// Every load, for questions that no index answers.
class AllLoads : public ScanningView<AllLoads> {
 public:
  explicit AllLoads(const IndexedLoads& loads) : loads_(&loads) {}
  [[nodiscard]] std::size_t size() const { return loads_->size(); }
  [[nodiscard]] Load load(WorkerId id) const { return loads_->load(id); }

 private:
  const IndexedLoads* loads_;
};

constexpr std::size_t kNoIndex = std::numeric_limits<std::size_t>::max();

// Of how many workers an index by this busyness is worth its cost: more than so many. Work left
// changes by itself: WorkLeft keeps its order. Queue lengths are soon compared.
std::size_t worth_beyond(const std::optional<Busyness>& busyness) {
  constexpr std::size_t kCompared = 64;
  if (!busyness || busyness->measure() == Measure::work) return kNoIndex;
  return busyness->measure() == Measure::queued ? kCompared : 0;
}

}  // namespace

IndexedLoads::IndexedLoads(const Needs& needs)
    : latency_law_(needs.latency),
      track_answers_(needs.inputs.has(PolicyInput::latency) ||
                     needs.inputs.has(PolicyInput::failures)),
      track_idle_(needs.idle),
      track_work_(needs.inputs.has(PolicyInput::work)),
      least_(needs.least.value_or(Busyness{})),
      least_beyond_(worth_beyond(needs.least)),
      ties_(needs.ties.value_or(Busyness{})),
      ties_beyond_(worth_beyond(needs.ties) == kNoIndex ? kNoIndex : needs.ties_beyond) {}

void IndexedLoads::resize(std::size_t workers) {
  ARTEL_REQUIRE(workers >= loads_.size(), "workers leave by capacity 0", workers, loads_.size());
  loads_.resize(workers, Load{.capacity = 0});
  for (detail::WorkerSet& group : groups_) group.resize(workers);
  if (track_work_) work_.resize(workers);
  if (workers > ties_beyond_) tree_.resize(workers);
  const bool least = workers > least_beyond_;
  const bool ties = workers > ties_beyond_;
  if (least == track_least_ && ties == track_ties_) return;
  track_least_ = least;
  track_ties_ = ties;
  track_order_ = true;
  for (std::size_t i = 0; i < workers; ++i) reorder(worker(i));
}

void IndexedLoads::set(WorkerId id, const Load& load) {
  ARTEL_REQUIRE(std::isfinite(load.weight) && load.weight > 0, "weight must be above 0",
                load.weight);
  if (track_work_) {
    if (load.weight != loads_[index(id)].weight) work_.set_speed(id, load.weight);
    if (load.work != work_.left(id)) work_.set_waiting(id, load.work);
  }
  loads_[index(id)] = load;
  set_of(Group::members).assign(id, load.capacity > 0);
  if (track_idle_) set_of(Group::idle).assign(id, belongs(load, Group::idle));
  if (load.room() > 0) {
    open(id);
  } else {
    close(id);
  }
  if (track_order_) reorder(id);
}

void IndexedLoads::note_latency(WorkerId id, Duration took) {
  Load& load = loads_[index(id)];
  const auto latency = after_answer({load.latency, load.heard},
                                    counted(took, load.queued, latency_law_), now_, latency_law_);
  load.latency = latency.value;
  load.heard = latency.heard;
}

void IndexedLoads::failed(WorkerId id, Duration took) {
  if (!track_answers_) return;
  Load& load = loads_[index(id)];
  ++load.failures;
  if (load.heard == kNotHeard || counted(took, load.queued, latency_law_) >
                                     faded(load.latency, now_ - load.heard, latency_law_.decay))
    note_latency(id, took);
}

std::optional<WorkerId> IndexedLoads::least(const Busyness& busyness) const {
  if (track_work_ && busyness.measure() == Measure::work) return work_.least();
  if (track_least_ && least_.measure() == busyness.measure()) {
    if (heap_.empty()) return std::nullopt;
    return heap_.top().id;
  }
  if (busyness.measure() == Measure::queued) return fewest_queued();
  return AllLoads(*this).least(busyness);
}

// Without branches: nobody could foresee which workers have room, and which is next.
std::optional<WorkerId> IndexedLoads::fewest_queued() const {
  constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t best = kNobody;  // queued, then id
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const Load& load = loads_[i];
    const std::uint64_t number = std::uint64_t{load.queued} << 32U | i;
    best = std::min(best, load.room() > 0 ? number : kNobody);
    if (best == i) break;  // it is idle
  }
  if (best == kNobody) return std::nullopt;
  return worker(static_cast<std::uint32_t>(best));
}

void IndexedLoads::reorder(WorkerId id) {
  if (track_ties_) [[unlikely]] {
    rank(id);
    if (!track_least_) return;
  }
  const Load& load = loads_[index(id)];
  const bool open = load.room() > 0;
  if (heap_.contains(id)) {
    if (open) {
      heap_.update(id, least_(load));
    } else {
      heap_.remove(id);
    }
  } else if (open) {
    heap_.push(id, least_(load));
  }
}

void IndexedLoads::rank(WorkerId id) {
  const Load& load = loads_[index(id)];
  if (load.room() > 0) {
    tree_.set(id, ties_(load));
  } else {
    tree_.erase(id);
  }
}

}  // namespace artel::dispatch
