#pragma once

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <thread>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::pool {

/// How often each other thread of this process went to sleep so far, as the system counts.
inline std::map<std::string, std::string> sleeps_of_other_threads() {
  std::map<std::string, std::string> sleeps;
  const std::string own = std::to_string(gettid());
  std::error_code gone;  // a thread may end meanwhile
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    const std::string id = task.path().filename();
    std::ifstream status(task.path() / "status");
    for (std::string line; id != own && std::getline(status, line);) {
      if (line.starts_with("voluntary_ctxt_switches:")) sleeps[id] = line;
    }
  }
  return sleeps;
}

/// Whether a time comes soon in which no other thread of this process wakes, starts or ends: longer
/// than two beacons of any default.
inline bool other_threads_fall_quiet() {
  const Instant end = later(steady_now(), std::chrono::seconds(30));
  while (steady_now() < end) {
    const auto before = sleeps_of_other_threads();
    std::this_thread::sleep_for(std::chrono::milliseconds(450));
    if (sleeps_of_other_threads() == before) return true;
  }
  return false;
}

}  // namespace artel::pool
