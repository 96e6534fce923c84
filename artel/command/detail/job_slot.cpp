#include "artel/command/detail/job_slot.hpp"

#include <signal.h>

#include <csignal>

#include "artel/command/detail/spill_file.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::command::detail {

void JobSlot::begin_attempt(Duration timeout) {
  told_to_end = timed_out = cancelled = false;
  started = steady_now();
  started_wall = wall_now();
  deadline = later(started, timeout);
}

void JobSlot::tell_to_end(Instant now, Duration grace) {
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): is required
  child->signal(SIGTERM);
  told_to_end = true;
  deadline = later(now, grace);
}

void JobSlot::discard(SpillFile& spill) {
  out.discard(spill);
  err.discard(spill);
}

}  // namespace artel::command::detail
