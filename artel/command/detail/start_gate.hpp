#pragma once

#include "artel/command/job_loop_options.hpp"
#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// When StartRules let the next job start. Threads: one at a time.
class StartGate {
 public:
  explicit StartGate(const StartRules& rules) : rules_(rules) {}

  /// How long until it is worth asking again; zero: a job may start now.
  [[nodiscard]] Duration wait(Instant now);
  /// A job has started.
  void started(Instant now) { next_ = later(now, rules_.delay); }

 private:
  [[nodiscard]] bool has_room() const;

  const StartRules rules_;
  Instant next_{};       // after the delay
  Instant next_look_{};  // at the system
  bool room_ = true;     // at the last one
};

}  // namespace artel::command::detail
