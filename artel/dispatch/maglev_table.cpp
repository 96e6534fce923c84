#include "artel/dispatch/maglev_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch {
namespace {

// A worker's way through the places, all of which it would come to.
struct Permutation {
  WorkerId id{};
  std::uint64_t next = 0;
  std::uint64_t skip = 1;
  double share = 1;  // of the turns, compared with the heaviest
  double taken = 0;  // places so far
};

}  // namespace

MaglevTable::MaglevTable(std::span<const double> weights, std::uint32_t places) {
  ARTEL_REQUIRE(is_prime(places), "a table has a prime number of places", places);
  const double most = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
  if (!(most > 0)) return;
  std::vector<Permutation> workers;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    std::uint64_t state = i;
    const std::uint64_t offset = splitmix64(state) % places;
    const std::uint64_t skip = splitmix64(state) % (places - 1) + 1;
    workers.push_back({.id = worker(i), .next = offset, .skip = skip, .share = weights[i] / most});
  }
  places_.resize(places);
  std::vector<bool> filled(places, false);
  std::size_t left = places;
  for (double turn = 1;; ++turn) {
    for (Permutation& one : workers) {
      if (turn * one.share < one.taken + 1 && one.share < 1) continue;
      while (filled[one.next]) one.next = (one.next + one.skip) % places;
      filled[one.next] = true;
      places_[one.next] = one.id;
      ++one.taken;
      if (--left == 0) return;
    }
  }
}

bool is_prime(std::uint32_t number) {
  if (number < 2) return false;
  for (std::uint64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return true;
}

}  // namespace artel::dispatch
