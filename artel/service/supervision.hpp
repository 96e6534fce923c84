#pragma once

#include <chrono>
#include <deque>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"

namespace artel::service {

/// How often what breaks is built anew, and when it is given up.
struct Supervision {
  unsigned restarts_max = 5;  ///< failures within `restarts_within` that are answered by a restart
  Duration restarts_within = std::chrono::seconds(10);
  Duration backoff_first = std::chrono::milliseconds(10);  ///< before the first restart in a row
  Duration backoff_max = std::chrono::seconds(5);          ///< doubling ends here
  double jitter = 0.5;  ///< the share of the wait that is random, 0 to 1
};

/// Decides after every failure: build anew after some wait, or give up.
///
/// The wait doubles with every failure in a row, and a random share of it is left out, so that what
/// broke together does not come back together.
/// Cost:    O(1) amortised; remembers restarts_max + 1 instants.
/// Threads: one at a time.
/// Source:  restart intensity: supervisors of Erlang/OTP. Jitter: M. Brooker, Exponential Backoff
///          and Jitter (AWS, 2015), "equal jitter" with 0.5.
class RestartBudget {
 public:
  RestartBudget(const Supervision& supervision, Seed seed)
      : supervision_(supervision), dice_(seed, "backoff") {}

  /// Something has failed for the `in_row`-th time in a row (from 1): how long to wait before it is
  /// built anew; nothing: more than restarts_max failures within restarts_within.
  [[nodiscard]] std::optional<Duration> failed(Instant now, unsigned in_row);
  /// Forgets the failures so far.
  void reset() { failures_.clear(); }

 private:
  Supervision supervision_;
  random::Stream dice_;
  std::deque<Instant> failures_;  // the last ones, within restarts_within
};

}  // namespace artel::service
