#pragma once

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

/// How often each thread with a name of its own went to sleep so far, as the system counts. Those
/// that have the name of the process are not a pool's: the first one, and a sanitizer's.
inline std::map<std::string, std::string> sleeps_of_other_threads() {
  const auto line_of = [](const std::filesystem::path& file, const std::string& start) {
    std::ifstream lines(file);
    std::string line;
    while (std::getline(lines, line) && !line.starts_with(start)) {
    }
    return line;
  };
  std::map<std::string, std::string> sleeps;
  const std::string own = line_of("/proc/self/comm", "");
  std::error_code gone;  // a thread may end meanwhile
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    if (line_of(task.path() / "comm", "") == own) continue;
    sleeps[task.path().filename()] = line_of(task.path() / "status", "voluntary_ctxt_switches:");
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
