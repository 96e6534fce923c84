#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <type_traits>

#include "artel/core/require.hpp"

namespace artel::bench {

/// What `run(tell)` tells, run in a process of its own, which ends there: for rivals that can run
/// only once per program, or never give their memory back.
template <class Report, class Run>
Report in_own_process(Run run) {
  static_assert(std::is_trivially_copyable_v<Report>);
  int channel[2];
  ARTEL_REQUIRE(pipe(channel) == 0, "no pipe to another process");
  const pid_t child = fork();
  ARTEL_REQUIRE(child >= 0, "no process of its own");
  if (child == 0) {
    run([&](const Report& report) {
      const bool told = write(channel[1], &report, sizeof report) == sizeof report;
      _exit(told ? 0 : 1);
    });
    _exit(1);
  }
  close(channel[1]);
  Report report{};
  const bool told = read(channel[0], &report, sizeof report) == sizeof report;
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ARTEL_REQUIRE(told && status == 0, "the run in a process of its own failed", status);
  return report;
}

}  // namespace artel::bench
