#pragma once

namespace artel::sim {

/// What a host draws: `idle` watts, up to `full` in proportion to the cores that compute; `off`
/// while it is down.
struct Power {
  double off = 0;
  double idle = 0;
  double full = 0;
};

}  // namespace artel::sim
