#include "artel/dispatch/indexed_loads.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

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

// Work left changes by itself: WorkLeft keeps its order.
bool has_order(const std::optional<Busyness>& busyness) {
  return busyness.has_value() && busyness->measure() != Measure::work;
}

}  // namespace

IndexedLoads::IndexedLoads(const Needs& needs)
    : latency_law_(needs.latency),
      track_answers_(needs.inputs.has(PolicyInput::latency) ||
                     needs.inputs.has(PolicyInput::failures)),
      track_idle_(needs.idle),
      track_work_(needs.inputs.has(PolicyInput::work)),
      track_least_(has_order(needs.least)),
      track_order_(track_least_),
      least_(needs.least.value_or(Busyness{})),
      ties_(needs.ties.value_or(Busyness{})),
      ties_beyond_(has_order(needs.ties) ? needs.ties_beyond
                                         : std::numeric_limits<std::size_t>::max()) {}

void IndexedLoads::resize(std::size_t workers) {
  ARTEL_REQUIRE(workers >= loads_.size(), "workers leave by capacity 0", workers, loads_.size());
  loads_.resize(workers, Load{.capacity = 0});
  for (detail::WorkerSet& group : groups_) group.resize(workers);
  if (track_work_) work_.resize(workers);
  if (workers <= ties_beyond_) return;
  tree_.resize(workers);
  if (std::exchange(track_ties_, true)) return;
  track_order_ = true;
  for (std::size_t i = 0; i < workers; ++i) rank(worker(i));
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
  return AllLoads(*this).least(busyness);
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
