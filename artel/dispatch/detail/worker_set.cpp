#include "artel/dispatch/detail/worker_set.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch::detail {
namespace {

std::size_t ones(std::uint64_t word) { return static_cast<std::size_t>(std::popcount(word)); }

/// The position of the k-th one, from 0; there are more than k.
std::size_t position_of_one(std::uint64_t word, std::size_t k) {
  std::size_t position = 0;
  for (std::size_t half = 32; half > 0; half /= 2) {
    const std::size_t low = ones(word & ((std::uint64_t{1} << half) - 1));
    if (k < low) continue;
    k -= low;
    word >>= half;
    position += half;
  }
  return position;
}

}  // namespace

void WorkerSet::resize(std::size_t workers) {
  const std::size_t words = (workers + kWordBits - 1) / kWordBits;
  ARTEL_REQUIRE(words >= words_.size(), "a set of workers only grows", workers);
  words_.resize(words);
  block_counts_.resize((workers + kBlockBits - 1) / kBlockBits);
}

std::optional<WorkerId> WorkerSet::nth(std::size_t k) const {
  if (k >= count_) return std::nullopt;
  std::size_t block = 0;
  while (k >= block_counts_[block]) k -= block_counts_[block++];
  std::size_t word = block * kBlockWords;
  while (k >= ones(words_[word])) k -= ones(words_[word++]);
  return worker(word * kWordBits + position_of_one(words_[word], k));
}

std::optional<WorkerId> WorkerSet::next(WorkerId from) const {
  if (count_ == 0) return std::nullopt;
  const auto found = first_at_or_after(index(from));
  return found ? found : first_at_or_after(0);
}

std::optional<WorkerId> WorkerSet::first_at_or_after(std::size_t from) const {
  std::size_t word = from / kWordBits;
  if (word >= words_.size()) return std::nullopt;
  std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (from % kWordBits));
  while (bits == 0) {
    ++word;
    while (word % kBlockWords == 0 && word < words_.size() &&
           block_counts_[word / kBlockWords] == 0) {
      word += kBlockWords;
    }
    if (word >= words_.size()) return std::nullopt;
    bits = words_[word];
  }
  return worker(word * kWordBits + static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace artel::dispatch::detail
