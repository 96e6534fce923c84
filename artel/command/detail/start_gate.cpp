#include "artel/command/detail/start_gate.hpp"

#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include "artel/core/instant.hpp"

namespace artel::command::detail {
namespace {

// The system counts its load anew every five seconds.
constexpr Duration kLook = std::chrono::seconds(1);
constexpr Duration kQuiet = std::chrono::seconds(10);  // until it is said that nothing starts

// In bytes; what is not known is no bound.
std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string name, line; file >> name; std::getline(file, line)) {
    std::uint64_t kilobytes = 0;
    if (name == "MemAvailable:" && file >> kilobytes) return kilobytes << 10U;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

double load() {
  double one_minute = 0;
  return ::getloadavg(&one_minute, 1) == 1 ? one_minute : 0;
}

}  // namespace

bool StartGate::has_room() const {
  return (rules_.load_max <= 0 || load() < rules_.load_max) &&
         (rules_.free_memory == 0 || available_memory() >= rules_.free_memory);
}

std::string StartGate::obstacle() const {
  constexpr double kMega = 1e6;
  if (rules_.load_max > 0 && load() >= rules_.load_max) {
    return fmt::format("no job starts: the load is {:.3g}, --load allows less than {:.3g}", load(),
                       rules_.load_max);
  }
  return fmt::format("no job starts: {:.0f} MB of memory are available, --memfree is {:.0f} MB",
                     static_cast<double>(available_memory()) / kMega,
                     static_cast<double>(rules_.free_memory) / kMega);
}

Duration StartGate::wait(Instant now) {
  if (rules_.load_max > 0 || rules_.free_memory > 0) {
    if (now >= next_look_) {
      room_ = has_room();
      next_look_ = later(now, kLook);
      if (room_ || last_room_ == Instant{}) last_room_ = now;
    }
    if (!room_ && tell_ && now >= later(last_room_, kQuiet)) {
      std::exchange(tell_, {})(obstacle());
    }
    if (!room_) return next_look_ - now;
  }
  return std::max(next_ - now, Duration{});
}

}  // namespace artel::command::detail
