#pragma once

#include <cstdint>
#include <functional>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {

/// What artel's pool of threads does instead of taking over: held tasks wait until a worker runs
/// out, which takes as many of them as it has room for, or half of what waits at the next worker
/// where something waits. The host tells an idle worker of tasks bound to busy ones: it has it
/// start().
enum class Stealing : std::uint8_t {
  none,
  before_held,  ///< looks at other workers first: their tasks came before the held ones
  after_held,   ///< looks at the held tasks first: with short ones the cheaper way
};

struct DispatcherOptions {
  Policy policy = LeastLoaded{};
  std::uint32_t common_capacity = kUnbounded;  ///< tasks that the common queue holds at most
  bool take_over = false;  ///< an idle worker takes the task that waits longest elsewhere
  Stealing stealing = Stealing::none;  ///< not with take_over
  SizeLimits limits{};
  std::uint64_t seed = 0;  ///< of the dice
  /// Hears every decision: the loads and the draw it was made from, and the worker chosen.
  std::function<void(const IndexedLoads&, const Draw&, WorkerId)> on_decision{};
};

/// What a worker brings along.
struct WorkerCapacity {
  std::uint32_t capacity = kUnbounded;  ///< tasks bound to it at most, the running one included
  float weight = 1.0F;                  ///< relative speed or priority
};

/// What became of a task that arrived.
struct Placement {
  enum class Kind : std::uint8_t {
    assigned,  ///< bound to `worker`
    held,      ///< nobody has room: it waits in the common queue
    rejected,  ///< the common queue is full, too
  };
  Kind kind = Kind::rejected;
  WorkerId worker{};
  bool start = false;  ///< assigned, and the worker had nothing to do: have it start()
};

/// How a worker leaves.
enum class Leaving : std::uint8_t {
  drain,     ///< it finishes what it has
  reassign,  ///< it finishes the running task; what waits goes to the others
};

/// Where all tasks are that ever arrived.
struct Counts {
  std::uint64_t arrived = 0;
  std::uint64_t held = 0;     ///< in the common queue
  std::uint64_t waiting = 0;  ///< bound to a worker, not started
  std::uint64_t running = 0;
  std::uint64_t finished = 0;
  std::uint64_t rejected = 0;
  std::uint64_t abandoned = 0;  ///< running on a worker that was removed by force

  /// Nothing is lost or counted twice.
  [[nodiscard]] bool balanced() const {
    return arrived == held + waiting + running + finished + rejected + abandoned;
  }
  friend bool operator==(const Counts&, const Counts&) = default;
};

}  // namespace artel::dispatch
