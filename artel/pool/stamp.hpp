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

/// What is known about a task that is measured or observed; most tasks of a busy pool carry none.
struct Stamp {
  Instant submitted{};
  Instant bound{};  ///< when a worker's own queue took it over from the common queue; zero: at once
  std::uint64_t id : 47 = 0;       ///< TaskId; only with an observer
  std::uint64_t ticketed : 1 = 0;  ///< this is the Stamp of a Ticket
  std::uint64_t weight : 16 = 1;   ///< how many tasks this one stands for in the histograms
};

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
