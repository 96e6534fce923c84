#pragma once

#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <optional>

namespace artel::sim {

/// How many instructions `act` takes: it is done in a process of its own, step by step, so that it
/// is the same number however busy the machine is. `make()` gives it something to act on,
/// uncounted. nullopt where processes may not trace their children. Cost: some microseconds for
/// each instruction.
template <class Make, class Act>
std::optional<std::uint64_t> count_instructions(const Make& make, const Act& act) {
  constexpr int kNotAllowed = 9;
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(kNotAllowed);
    {
      auto subject = make();
      ::raise(SIGSTOP);
      act(*subject);
      ::raise(SIGSTOP);
    }
    ::_exit(0);
  }
  int status = 0;
  std::uint64_t steps = 0;
  ::waitpid(child, &status, 0);
  const bool allowed = WIFSTOPPED(status);
  while (allowed) {
    ::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
    if (::waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) return std::nullopt;
    if (WSTOPSIG(status) != SIGTRAP) break;
    ++steps;
  }
  if (!allowed) return std::nullopt;
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return steps;
}

}  // namespace artel::sim
