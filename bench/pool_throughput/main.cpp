// How many tasks per second a pool takes in, runs and gives results for.
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "bench/pool_throughput/limits.hpp"
#include "bench/rivals/rivals.hpp"
#include "bench/rivals/throughput.hpp"
#include "bench/spin.hpp"

namespace artel::bench {
namespace {

std::vector<Rival> with(std::vector<Rival> some, const std::vector<Rival>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

void add_spins(Comparison& comparison, const std::string& name, const Posts& posts) {
  add(comparison, name, posts, rivals());
  comparison.add({"limit", name, [=] { return plain_loop(posts); }});
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("pool_throughput", argc, argv);
  say_left_out();
  // Memory that was got once stays, or every run of a pool without bounds would pay for its pages.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const bool smoke = comparison.smoke();
  const std::size_t many = smoke ? 2'000 : 1'000'000;
  const std::size_t some = smoke ? 1'000 : 200'000;
  const std::size_t few = smoke ? 100 : 40'000;
  const std::uint64_t us = passes_per_us();
  const auto all = with(rivals(), artel_policies());
  add(comparison, "post/W2/P1", Posts{2, 1, many}, with(all, artel_further_policies()));
  comparison.add({"limit", "post/W2/P1", [=] { return hand_off(many); }});
  add(comparison, "post/W2/P2", Posts{2, 2, many}, all);
  add(comparison, "post/W16/P1", Posts{16, 1, some}, all);
  add(comparison, "two_pools/W1+W1", TwoPools{many}, rivals());
  add(comparison, "submit/W2", Submits{2, some}, all);
  add(comparison, "queued/W2", Queued{2, smoke ? 1'000UL : 16'000UL}, rivals());
  add_spins(comparison, "spin1us/W2", Posts{2, 1, some, us});
  add_spins(comparison, "spin10us/W2", Posts{2, 1, few, 10 * us});
  add(comparison, "fib27/W2", Fib{2, smoke ? 12 : 27}, rivals());
  return comparison.run();
}
