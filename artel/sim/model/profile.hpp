#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {

/// How a number goes over time: a speed, a bandwidth, whether a host is up. It changes at each of
/// the times, and keeps its value until the next.
struct Profile {
  /// What it is from a time on.
  struct Breakpoint {
    Duration at{};     ///< since the beginning, ascending
    double value = 0;  ///< from then on
  };
  std::vector<Breakpoint> changes;
  Duration period = kForever;  ///< after which it begins anew; beyond the last change
};

/// Reads a line `SECONDS VALUE` for each change, perhaps `PERIODICITY SECONDS` before or after
/// them; what follows a # is for people. So are SimGrid's profiles written. Errors: parse, with the
/// line; times that do not ascend, a period that ends before the last.
[[nodiscard]] Result<Profile> parse_profile(std::string_view text, std::string_view file_name);

/// Applies every change at its time, from now on: `context.spawn(follow(context, profile,
/// [&](double speed) { host.set_speed(speed); }))`. One with a period never ends; as a daemon it
/// does not keep run() going, not even for those who wait for its next change. Requires: the
/// changes ascend from 0 or later, and the period, if there is one, is longer.
[[nodiscard]] Task<> follow(Context& context, Profile profile,
                            std::function<void(double value)> apply);

}  // namespace artel::sim
