#include "artel/random/stream.hpp"

#include <cstdint>
#include <string_view>

#include "artel/core/id.hpp"
#include "artel/random/pcg64.hpp"

namespace artel::random {
namespace {

constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

/// SplitMix64's finalizer: a bijection, so that different inputs stay different.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111eb;
  return x ^ (x >> 31U);
}

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;

Pcg64 engine_for(Seed seed, std::string_view name, std::uint64_t sequence) {
  std::uint64_t counter = mix(mix(index(seed) + kGolden) ^ fnv1a(name));
  counter = mix(counter + kGolden) ^ sequence;
  const auto word = [&counter] { return mix(counter += kGolden); };
  const std::uint64_t state_high = word();
  const std::uint64_t state_low = word();
  const std::uint64_t sequence_high = word();
  const std::uint64_t sequence_low = word();
  return Pcg64({.state = {.high = state_high, .low = state_low},
                .sequence = {.high = sequence_high, .low = sequence_low}});
}

}  // namespace

Stream::Stream(Seed seed, std::string_view name, std::uint64_t index)
    : engine_(engine_for(seed, name, index)) {}

}  // namespace artel::random
