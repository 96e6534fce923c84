#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {

/// How a task ended. Every accepted task ends exactly once.
enum class Outcome : std::uint8_t {
  done,       ///< ran to its end
  failed,     ///< ran and threw
  cancelled,  ///< not started: its stop token was asked to stop, or the pool was
  expired,    ///< not started by its deadline
};
inline constexpr std::size_t kOutcomes = 4;

/// "done", "failed", "cancelled", "expired".
[[nodiscard]] std::string_view name(Outcome outcome);

/// What is known about a task that is measured, observed or recorded; most tasks of a busy pool
/// carry none.
struct Stamp {
  static constexpr std::uint64_t kQueuedWorkerMax = (1U << 20U) - 1;
  static constexpr std::uint64_t kQueuedCommonMax = (1U << 24U) - 1;

  Instant submitted{};
  Instant bound{};  ///< when a worker's own queue took it over from the common queue; zero: at once
  std::uint64_t weight : 16 = 1;   ///< how many tasks it stands for in the histograms; 0: none
  std::uint64_t ticketed : 1 = 0;  ///< this is the Stamp of a Ticket
  std::uint64_t recorded : 1 = 0;  ///< goes into the recording; its times are of TickClock
  std::uint64_t priority : 2 = 1;  ///< a Priority
  std::uint64_t queued_worker : 20 = 0;  ///< waiting at the chosen worker, when it was placed
  std::uint64_t queued_common : 24 = 0;  ///< waiting in the common queue, when it was placed

  /// Whether anybody wants its times.
  [[nodiscard]] bool wanted() const { return weight != 0 || recorded != 0; }
};
static_assert(sizeof(Stamp) == 24);

/// What the submitter asked for beyond running the task.
struct Ticket : Stamp {
  Ticket() { ticketed = 1; }

  Instant deadline = kNever;
  std::stop_token stop{};
  Duration size{};        ///< hinted service time; 0: none
  WorkerId counted_at{};  ///< the worker whose outstanding work includes `size`
  bool counted = false;
};

/// The Ticket that a stamp belongs to; null if it is just a stamp.
[[nodiscard]] inline Ticket* ticket_of(Stamp& stamp) {
  return stamp.ticketed != 0 ? static_cast<Ticket*>(&stamp) : nullptr;
}

}  // namespace artel::pool
