#include "artel/command/detail/local_job.hpp"

#include <signal.h>

#include <csignal>

#include "artel/command/detail/spill_file.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::command::detail {

void LocalJob::begin_attempt(Duration timeout) {
  told_to_end = timed_out = cancelled = begun = false;
  started = steady_now();
  started_wall = wall_now();
  deadline = later(started, timeout);
  ++attempts;
}

void LocalJob::tell_to_end(Instant now, Duration grace) {
  child->signal_all(SIGTERM);  // NOLINT(bugprone-unchecked-optional-access): is required
  told_to_end = true;
  deadline = later(now, grace);
}

Result<void> LocalJob::discard(SpillFile& spill) {
  auto first = out.discard(spill);
  auto second = err.discard(spill);
  return first ? second : first;
}

}  // namespace artel::command::detail
