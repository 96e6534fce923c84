#pragma once

#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/forked_tasks.hpp"
#include "artel/fleet/detail/simulated_dispatchers.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

/// How a task, or an attempt, leaves a simulated fleet.
enum class TaskEnding : std::uint8_t {
  served,
  rejected,
  gave_up,
  lost,        ///< its worker broke; of a request: or no try was answered in time
  taken_back,  ///< nobody hears of it
};

/// A task of a simulated fleet, or a part of one, or an attempt of a request.
struct FleetTask {
  /// Where it is: in the common queue, on its way to its worker, or there.
  enum class Where : std::uint8_t { held, travelling, at_worker };

  static constexpr std::uint32_t kNoClass = UINT32_MAX;
  static constexpr std::uint32_t kNoRequest = UINT32_MAX;   ///< the task is its own
  static constexpr std::uint32_t kNobody = UINT32_MAX - 1;  ///< the caller has gone on without it

  Instant arrival{};
  Instant bound{};
  Instant start{};
  Instant due{};    ///< the request's, whichever attempt, in whichever stage
  Duration size{};  ///< service time at speed 1
  Duration hint{};
  Duration join{};  ///< what a batch takes longer by it
  std::uint64_t key = 0;
  std::uint32_t forked = ForkedTasks::kNotForked;
  std::uint32_t note = SimulatedDispatchers::kNotNoted;
  std::uint32_t task_class = kNoClass;
  std::int32_t priority = 0;
  std::uint32_t request = kNoRequest;
  std::uint32_t passing = 0;  ///< of the fleet that this one is a stage of
  std::uint32_t row = 0;      ///< of the trace, if workers have caches, or it has their patience
  WorkerId worker{};
  Where where = Where::held;
  bool counted = false;
  bool begun = false;  ///< as the dispatchers' table knows
  sim::EventId reach{};
  sim::EventId give_up{};

  /// Its caller waits for it, or for another attempt of the same request.
  [[nodiscard]] bool of_request() const { return request < kNobody; }
};

}  // namespace artel::fleet::detail
