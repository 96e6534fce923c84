#include "artel/fleet/detail/simulated_dispatchers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/chooser.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

SimulatedDispatchers::SimulatedDispatchers(const scenario::Scenario& scenario,
                                           std::uint32_t replication,
                                           const dispatch::IndexedLoads& loads,
                                           const dispatch::Needs& needs)
    : settings_(scenario.dispatch), arrives_at_(scenario.run.seed, "arrives_at", replication) {
  if (needs.inputs.has(dispatch::PolicyInput::latency)) latency_ = needs.latency;
  for (std::uint32_t d = 0; d < settings_.dispatchers; ++d) {
    const std::uint64_t stream = (std::uint64_t{replication} << 32U) + d;
    random::Stream dice(scenario.run.seed, "dice", stream);
    const std::uint64_t first_turn = settings_.dispatchers == 1 ? 0 : dice() >> 32U;
    dispatchers_.push_back({.draws = dispatch::DrawSource(dice, first_turn), .own = {}});
    if (own_views()) dispatchers_.back().own = dispatch::LoadArray::copy_of(loads);
  }
}

std::optional<WorkerId> SimulatedDispatchers::decide(const dispatch::Chooser& chooser,
                                                     const dispatch::IndexedLoads& loads,
                                                     const dispatch::TaskHints& hints, Instant now,
                                                     std::span<const float> matched) {
  auto& dispatcher = dispatchers_[at_];
  auto draw = dispatcher.draws.next(chooser, hints, now);
  draw.matched = matched;
  if (stale()) draw.age = now - refreshed_;
  // Workers that are asked know of all their tasks, whoever sent them.
  if (own_views()) return dispatcher.draws.choose(chooser, dispatcher.own, draw, loads);
  if (stale()) return dispatcher.draws.choose(chooser, snapshot_, draw);
  return dispatcher.draws.choose(chooser, loads, draw);
}

void SimulatedDispatchers::refresh(const dispatch::IndexedLoads& loads, Instant now) {
  snapshot_ = dispatch::LoadArray::copy_of(loads);
  refreshed_ = now;
  if (settings_.view != scenario::DispatcherView::reported) return;
  // What was heard with answers stays.
  for (auto& dispatcher : dispatchers_) {
    for (std::size_t w = 0; w < snapshot_.size(); ++w) {
      const auto id = dispatch::worker(w);
      auto load = dispatcher.own.load(id);
      load.queued = snapshot_.load(id).queued;
      load.work = snapshot_.load(id).work;
      load.capacity = snapshot_.load(id).capacity;
      dispatcher.own.set(id, load);
    }
  }
}

void SimulatedDispatchers::note(std::uint32_t number, const dispatch::Placement& placement,
                                Duration hint, Instant now) {
  auto& note = notes_[number];
  note = {.dispatcher = at_, .work = hint, .sent = now};
  if (placement.kind == dispatch::Placement::Kind::rejected) notes_.remove(number);
  if (placement.kind != dispatch::Placement::Kind::assigned) return;
  note.worker = placement.worker;
  auto& own = dispatchers_[at_].own;
  auto load = own.load(placement.worker);
  ++load.queued;
  load.work += hint;
  own.set(placement.worker, load);
}

void SimulatedDispatchers::note_done(std::uint32_t number, Instant now, bool answered) {
  if (number == kNotNoted) return;
  notes_.remove(number);
  const auto& note = notes_[number];
  if (!note.worker) return;
  auto& own = dispatchers_[note.dispatcher].own;
  auto load = own.load(*note.worker);
  if (latency_ && answered) {
    const auto took = dispatch::counted(now - note.sent, load.queued, *latency_);
    const auto after = dispatch::after_answer({load.latency, load.heard}, took, now, *latency_);
    load.latency = after.value;
    load.heard = after.heard;
  }
  --load.queued;
  load.work -= note.work;
  own.set(*note.worker, load);
}

}  // namespace artel::fleet::detail
