#pragma once

#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::verify {

/// A pool of equal workers under Poisson arrivals, the mean service time being one second.
struct SystemSpec {
  scenario::PolicySpec policy{};
  random::Distribution service{};
  std::uint32_t workers = 1;
  double load = 0.5;
  std::uint32_t fork = 1;
  bool own_queues = true;  ///< false: a worker holds one task, the rest waits in the common queue
  std::uint64_t tasks = 100'000;
  Seed seed{1};
};

[[nodiscard]] scenario::Scenario scenario_of(const SystemSpec& system);

[[nodiscard]] scenario::PolicySpec labelled(dispatch::Policy policy);

}  // namespace artel::verify
