#pragma once

#include <cstdint>
#include <string>

#include "artel/random/distribution.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::scenario {

/// What results call [pool], where there are other stages.
inline constexpr const char* kFirstStage = "pool";

/// What a request needs after [pool] has served it: [[stages]], one after the other.
struct StageSettings {
  std::string name;
  double probability = 1;          ///< that a request needs it
  std::uint32_t calls = 1;         ///< at once, each placed by the policy; it ends with the last
  random::Distribution service{};  ///< of a call, in seconds
  PoolSettings pool;

  /// Work offered / work that its pool can do, at so many requests per second.
  [[nodiscard]] double load(double rate) const {
    return rate * probability * calls * service.mean() / pool.capacity(service.mean());
  }
};

}  // namespace artel::scenario
