#pragma once

#include <memory>
#include <stop_token>

#include "artel/core/instant.hpp"

namespace artel::app {

/// Lets so much time pass, unless asked to stop.
void wait_or_stop(Duration time, const std::stop_token& stop);

/// Turns Ctrl-C (SIGINT) and SIGTERM into a stop request; the second one ends the process at once.
/// Requires: make one before any other thread starts, so that they inherit the blocked signals.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  struct Watcher;
  std::stop_source stop_;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace artel::app
