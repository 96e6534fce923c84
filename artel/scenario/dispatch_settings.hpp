#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::scenario {

/// What a dispatcher knows of the loads.
enum class DispatcherView : std::uint8_t {
  shared,  ///< all that is bound to a worker, whoever sent it; as of the last refresh, if loads are
           ///< stale
  own,     ///< what it sent itself and has not heard to be done
  reported,  ///< all that was bound to a worker at the last refresh, and what became of its own
             ///< tasks since
};

/// The policies to compare, and how much whoever decides knows: [dispatch].
struct DispatchSettings {
  std::vector<PolicySpec> policies;
  std::uint32_t dispatchers =
      1;  ///< each task comes to one of them at random; each has its own turns and dice
  DispatcherView view = DispatcherView::shared;
  Duration staleness{};      ///< loads are seen as of the last refresh; 0: always fresh
  Duration network_delay{};  ///< from dispatcher to worker
  std::optional<EjectionSettings> ejection{};  ///< nothing: whatever fails
};

}  // namespace artel::scenario
