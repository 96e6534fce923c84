// How soon a pool starts a task, how soon its submitter has the result, and what it costs to wait
// in tasks.
#include <cstddef>
#include <thread>
#include <vector>

#include "artel/sync/parker.hpp"
#include "bench/measure.hpp"
#include "bench/rivals/latency.hpp"
#include "bench/rivals/rivals.hpp"

namespace artel::bench {
namespace {

// A thread that sleeps on a futex and one that wakes it: nothing can start sooner that has to wake.
Outcome futex_wake_to_run(std::size_t rounds) {
  std::vector<double> us;
  sync::Parker to, back;
  Clock::time_point started;
  std::thread sleeper([&] {
    for (std::size_t i = 0; i < rounds; ++i) {
      static_cast<void>(to.park());
      started = Clock::now();
      back.unpark();
    }
  });
  for (std::size_t i = 0; i < rounds; ++i) {
    sleep_between_rounds();
    const auto submitted = Clock::now();
    to.unpark();
    static_cast<void>(back.park());
    us.push_back(us_between(submitted, started));
  }
  sleeper.join();
  return latencies(us);
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("pool_latency", argc, argv);
  say_left_out();
  const bool smoke = comparison.smoke();
  const std::size_t rounds = smoke ? 5 : 300;
  add(comparison, "start/W2", Starts{2, rounds}, rivals());
  comparison.add({"limit", "start/W2", [=] { return futex_wake_to_run(rounds); }});
  add(comparison, "round_trip/W2", RoundTrips{2, rounds}, rivals());
  add(comparison, "back_to_back/W2", RoundTrips{2, smoke ? 50UL : 20'000UL, true}, rivals());
  add(comparison, "waits/W4", Waits{4, smoke ? 20UL : 4'000UL}, rivals());
  return comparison.run();
}
