// Response times of sleeping tasks, against the ideal central queue, computed from the same
// arrivals and sizes:
//   sleep, bursts  95 % take 1 ms and 5 % take 20 ms; Poisson arrivals at 80 % load, one by one and
//   in
//                  bursts of 32
//   tiny           99.5 % take no time and 0.5 % take 20 ms; the response times of the tiny ones,
//   at
//                  25 % load, and with so many tasks inside that few workers are never idle
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure.hpp"
#include "bench/rivals/rivals.hpp"
#include "bench/rivals/tail.hpp"

namespace artel::bench {
namespace {

constexpr Mix kSleeps{.short_s = 0.001, .long_s = 0.020, .long_share = 0.05};
constexpr Mix kTiny{.short_s = 0, .long_s = 0.020, .long_share = 0.005, .counted_s = 0};

auto shared(std::vector<Arrival> load) {
  return std::make_shared<const std::vector<Arrival>>(std::move(load));
}

void add_open(Comparison& comparison, const std::string& name, const OpenLoad& open) {
  if (open.counted_s > 0) {  // tiny tasks alone would never wait for a free worker
    comparison.add({"ideal", name, [open] {
                      return tail(central_queue(*open.load, open.workers), *open.load,
                                  open.counted_s);
                    }});
  }
  add(comparison, name, open, rivals());
  add(comparison, name, open, artel_policies());
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("pool_tail", argc, argv);
  say_left_out();
  const std::size_t tasks = comparison.smoke() ? 200 : 20'000;
  const std::size_t more = comparison.smoke() ? 200 : 40'000;
  add_open(comparison, "sleep/W16/0.8",
           {16, kSleeps.counted_s, shared(arrivals(kSleeps, tasks, 16, 0.8, 1))});
  add_open(comparison, "bursts/W16/0.8",
           {16, kSleeps.counted_s, shared(arrivals(kSleeps, tasks, 16, 0.8, 32))});
  add_open(comparison, "tiny/W16/0.25",
           {16, kTiny.counted_s, shared(arrivals(kTiny, more, 16, 0.25, 1))});
  add(comparison, "tiny/W4/64_inside",
      ClosedLoad{4, 64, kTiny.counted_s, shared(arrivals(kTiny, more, 4, 1, 1))}, rivals());
  return comparison.run();
}
