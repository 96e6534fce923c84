#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/detail/capture.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// One of the jobs that run at once, and what it has written so far.
struct JobSlot {
  std::optional<Child> child;
  std::uint64_t job = 0;
  std::uint64_t turn = 0;
  std::vector<std::string> items;
  std::vector<std::string> command;
  unsigned attempt = 1;      ///< of the job
  std::uint64_t number = 0;  ///< of the attempt, among all
  Instant started{};
  Duration started_wall{};
  Instant deadline = kNever;  ///< to be told to end, and then killed
  bool told_to_end = false;
  bool timed_out = false;
  bool cancelled = false;
  Capture out;
  Capture err;

  void begin_attempt(Duration timeout);
  /// SIGTERM; the time for SIGKILL is after `grace`. Requires: a child.
  void tell_to_end(Instant now, Duration grace);
  /// Forgets what it has written.
  void discard(SpillFile& spill);
};

}  // namespace artel::command::detail
