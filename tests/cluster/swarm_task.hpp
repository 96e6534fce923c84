#pragma once

#include <signal.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <thread>

#include "artel/cluster/remote_task.hpp"

/// A piece of work that takes some time and gives what no other item gives: long for some items.
// NOLINTNEXTLINE(readability-identifier-naming): used like a function
ARTEL_TASK(swarm_work, std::string, std::uint64_t item) {
  std::this_thread::sleep_for(std::chrono::microseconds(item * 2'654'435'761U % 4'000));
  return std::string(item % 97, static_cast<char>('a' + item % 26)) + std::to_string(item);
}

/// Some items kill the process that works on them.
[[nodiscard]] inline bool is_deadly(std::uint64_t item) { return item < 30 && item % 6 == 2; }
// NOLINTNEXTLINE(readability-identifier-naming): used like a function
ARTEL_TASK(swarm_deadly, std::uint64_t, std::uint64_t item) {
  if (is_deadly(item)) ::raise(SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // among the victims
  return item + 1;
}
