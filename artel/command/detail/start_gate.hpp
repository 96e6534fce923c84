#pragma once

#include <functional>
#include <string>
#include <utility>

#include "artel/command/job_loop_options.hpp"
#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// When StartRules let the next job start. Threads: one at a time.
class StartGate {
 public:
  /// `tell`: hears once if no job may start for ten seconds, and why.
  StartGate(const StartRules& rules, std::function<void(const std::string&)> tell)
      : rules_(rules), tell_(std::move(tell)) {}

  /// How long until it is worth asking again; zero: a job may start now.
  [[nodiscard]] Duration wait(Instant now);
  /// A job has started.
  void started(Instant now) { next_ = later(now, rules_.delay); }

 private:
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::string obstacle() const;

  const StartRules rules_;
  std::function<void(const std::string&)> tell_;  // empty: it has been told
  Instant next_{};                                // after the delay
  Instant next_look_{};                           // at the system
  bool room_ = true;                              // at the last one
  Instant last_room_{};                           // when there was room; zero: it was not looked at
};

}  // namespace artel::command::detail
