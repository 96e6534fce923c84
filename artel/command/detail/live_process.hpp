#pragma once

#include <sys/types.h>

#include <optional>

namespace artel::command::detail {

/// A process that has not ended, as the system shows it.
struct LiveProcess {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  unsigned long long started = 0;  ///< tells it from another process that has its number later
  char state = 0;                  ///< 'T': it is stopped
};

/// Nothing: it has ended.
[[nodiscard]] std::optional<LiveProcess> live_process(pid_t pid);

}  // namespace artel::command::detail
