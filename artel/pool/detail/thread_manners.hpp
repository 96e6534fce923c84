#pragma once

#include <cstddef>
#include <string>

namespace artel::pool::detail {

/// How a worker's thread behaves towards the system. What is not allowed is left as it is.
///
/// Threads: all of this is about the calling one.
struct ThreadManners {
  /// Names this thread "name-3", the name cut so that the system's 15 letters suffice.
  static void name(const std::string& name, std::size_t number);

  /// Pins this thread to the n-th processor that the process may use, going round: whatever thread
  /// asked for this one, and wherever that is pinned.
  static void pin(std::size_t n);

  /// Asks for short slices, so that a worker that is woken soon gets to run (Linux 6.12; elsewhere
  /// it has no effect). Only under the ordinary scheduling policy: any other is kept as it is.
  static void ask_for_short_slices();

  /// The address below which this thread's stack is more than half used; null: not known.
  [[nodiscard]] static const char* half_of_stack();

  /// From here on exiting() knows.
  static void watch_exit();
  /// Whether the objects of this thread have been destroyed: by a task, this thread called exit().
  [[nodiscard]] static bool exiting();
};

}  // namespace artel::pool::detail
