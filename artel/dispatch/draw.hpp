#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace artel::dispatch {

class MaglevTable;
class WeightedCycle;
class Shares;
struct ProbePool;

/// What is known of a task before anything is done for it.
struct TaskHints {
  Duration size{};               ///< its service time; 0: no hint
  std::uint64_t key = 0;         ///< what it is about, see key_of(); 0: nothing in particular
  std::uint32_t task_class = 0;  ///< the host's number for its kind
  Instant deadline = kNever;     ///< an answer that comes later is of no use

  constexpr TaskHints() = default;
  /* implicit */ constexpr TaskHints(Duration hint) : size(hint) {}
};

/// The key of what has a name: a user, a document, a prompt's beginning. FNV-1a, and never 0.
[[nodiscard]] constexpr std::uint64_t key_of(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash == 0 ? 1 : hash;
}

/// Everything besides the loads that one decision may depend on. Recorded together with the loads,
/// a decision can be replayed exactly.
struct Draw {
  std::uint64_t turn = 0;  ///< counts the decisions of one dispatcher: 0, 1, 2…
  std::uint64_t dice = 0;  ///< 64 random bits; `Dice` makes more of them
  Instant now{};           ///< the time of the decision
  Duration size{};         ///< of the task, as hinted; 0: no hint
  std::uint64_t key = 0;   ///< see TaskHints, like task_class and deadline
  std::uint32_t task_class = 0;
  Instant deadline = kNever;
  Duration age{};  ///< of the loads: so long ago they were as shown; 0: they are up to date
  const Shares* shares = nullptr;  ///< distribution published by the closed loop, if there is one
  const WeightedCycle* cycle = nullptr;  ///< turns by weight (weighted round robin), if published
  const MaglevTable* table = nullptr;    ///< whose key is whose (maglev), if published
  const ProbePool* probes = nullptr;     ///< what workers answered (prequal), if any were asked
  /// By worker: the share, 0 to 1, of the task's prefix that is in its cache; of those beyond,
  /// none.
  std::span<const float> matched{};

  /// The same of one worker.
  [[nodiscard]] constexpr double matched_by(WorkerId id) const {
    return index(id) < matched.size() ? matched[index(id)] : 0;
  }
};

}  // namespace artel::dispatch
