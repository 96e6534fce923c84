// How a pool's speed grows with its workers: 1, 2, 4, 8 … as many as the machine has processors.
//   post1             one thread posts tasks that take no time
//   post_half         half of them post to a pool of as many workers as the other half
//   spin1us_half      the same with tasks that take 1 us
//   result            one thread submits a thousand at a time and takes the results
//   spin1us, spin10us one thread posts tasks that take 1 and 10 us
//   fib               every call forks one of its own and waits for it
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/cpu_quota.hpp"
#include "bench/measure.hpp"
#include "bench/rivals/rivals.hpp"
#include "bench/rivals/throughput.hpp"
#include "bench/spin.hpp"

namespace artel::bench {
namespace {

std::vector<unsigned> worker_counts(unsigned most) {
  std::vector<unsigned> counts;
  for (unsigned workers = 1; workers < most; workers *= 2) counts.push_back(workers);
  counts.push_back(most);
  return counts;
}

struct Sizes {
  std::size_t posts, results, us_per_worker, ten_us_per_worker;
  int fib;
};

void add_row(Comparison& comparison, unsigned workers, const Sizes& sizes) {
  const std::uint64_t us = passes_per_us();
  const auto name = [&](const std::string& what) { return fmt::format("{}/W{}", what, workers); };
  add(comparison, name("post1"), Posts{workers, 1, sizes.posts}, rivals());
  if (const unsigned half = workers / 2; half > 0) {
    add(comparison, name("post_half"), Posts{half, half, sizes.posts}, rivals());
    add(comparison, name("spin1us_half"), Posts{half, half, sizes.us_per_worker * half, us},
        rivals());
  }
  add(comparison, name("result"), Submits{workers, sizes.results}, rivals());
  add(comparison, name("spin1us"), Posts{workers, 1, sizes.us_per_worker * workers, us}, rivals());
  add(comparison, name("spin10us"), Posts{workers, 1, sizes.ten_us_per_worker * workers, 10 * us},
      rivals());
  add(comparison, name("fib"), Fib{workers, sizes.fib}, rivals());
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("pool_scaling", argc, argv);
  say_left_out();
  const Sizes sizes = comparison.smoke() ? Sizes{2'000, 1'000, 500, 50, 12}
                                         : Sizes{200'000, 50'000, 20'000, 5'000, 25};
  for (const unsigned workers : worker_counts(comparison.smoke() ? 2 : artel::usable_cpus()))
    add_row(comparison, workers, sizes);
  return comparison.run();
}
