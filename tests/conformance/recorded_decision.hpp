#pragma once

#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/maglev_table.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/probe_pool.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"

namespace artel::conformance {

/// Everything that one decision was made from, and what it was.
class RecordedDecision {
 public:
  template <dispatch::LoadView View>
  RecordedDecision(const View& view, const dispatch::Draw& draw, std::optional<WorkerId> chosen)
      : loads_(dispatch::LoadArray::copy_of(view)), draw_(draw), chosen_(chosen) {
    if (draw.shares != nullptr) shares_ = *draw.shares;
    if (draw.cycle != nullptr) cycle_ = *draw.cycle;
    if (draw.table != nullptr) table_ = *draw.table;
    if (draw.probes != nullptr) probes_ = *draw.probes;
  }

  /// Whether the policy, asked again, chooses the same worker.
  [[nodiscard]] bool holds_for(const dispatch::Policy& policy) const {
    dispatch::Draw draw = draw_;
    draw.shares = shares_ ? &*shares_ : nullptr;
    draw.cycle = cycle_ ? &*cycle_ : nullptr;
    draw.table = table_ ? &*table_ : nullptr;
    draw.probes = probes_ ? &*probes_ : nullptr;
    return dispatch::choose(policy, loads_, draw) == chosen_;
  }

 private:
  dispatch::LoadArray loads_;
  dispatch::Draw draw_;
  std::optional<dispatch::Shares> shares_;
  std::optional<dispatch::WeightedCycle> cycle_;
  std::optional<dispatch::MaglevTable> table_;
  std::optional<dispatch::ProbePool> probes_;
  std::optional<WorkerId> chosen_;
};

}  // namespace artel::conformance
