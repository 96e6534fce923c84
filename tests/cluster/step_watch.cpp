#include "tests/cluster/step_watch.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <string_view>

namespace artel::cluster::simulated {
namespace {

volatile std::sig_atomic_t inside = 0;         // of a step
volatile std::sig_atomic_t inside_before = 0;  // the step that the last signal has seen; 0: none
std::uint32_t steps = 0;

void look(int /*signal*/) {
  const std::sig_atomic_t now = inside;
  if (now != 0 && now == inside_before) {
    constexpr std::string_view kWords =
        "a step of the protocol has taken a second: it does not end\n";
    static_cast<void>(::write(STDERR_FILENO, kWords.data(), kWords.size()));
    ::_exit(1);
  }
  inside_before = now;
}

void start() {
  static const bool started = [] {
    static_cast<void>(std::signal(SIGVTALRM, look));
    const itimerval every{.it_interval = {.tv_sec = 0, .tv_usec = 500'000},
                          .it_value = {.tv_sec = 0, .tv_usec = 500'000}};
    return ::setitimer(ITIMER_VIRTUAL, &every, nullptr) == 0;
  }();
  static_cast<void>(started);
}

}  // namespace

void StepWatch::begin() {
  start();
  steps = steps % 1'000'000'000 + 1;
  inside = static_cast<std::sig_atomic_t>(steps);
}

void StepWatch::end() { inside = 0; }

}  // namespace artel::cluster::simulated
