#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/shares.hpp"

namespace artel::dispatch {

/// How the closed loop turns beacon reports into shares; see Controller.
enum class Law : std::uint8_t {
  level,  ///< levels the queues with the arrivals to be expected: the one to use
  yawp,   ///< committed / (queued × gap), as published; for comparison
};

/// "level", "yawp".
[[nodiscard]] std::string_view name(Law law);

/// Samples the distribution that the closed loop published with the draw. A worker that is full is
/// thrown again a few times; then the next one with room after it takes the task. Without a
/// published distribution: as Random.
///
/// Cost:    O(log workers), no load of any other worker is read.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  YAWP.
struct ClosedLoop {
  static constexpr PolicyInputs kReads{};  ///< nothing but queued and capacity

  Law law = Law::level;
  Duration beacon_every = std::chrono::milliseconds(200);  ///< between beacons to one worker
  /// Between distributions. YAWP: 200 ms; with `level`, four or more per beacon are better.
  Duration publish_every = std::chrono::milliseconds(50);

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    constexpr int kThrows = 4;
    Dice dice(draw);
    if (draw.shares == nullptr || draw.shares->empty()) return random_open(view, dice);
    WorkerId last{};
    for (int i = 0; i < kThrows; ++i) {
      const auto id = draw.shares->sample(dice.uniform());
      if (!id || index(*id) >= view.size()) continue;  // published for more workers than there are
      if (view.load(*id).room() > 0) return id;
      last = *id;
    }
    return view.next(Group::open, last);
  }
};

}  // namespace artel::dispatch
