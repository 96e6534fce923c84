#pragma once

#include <cstdint>
#include <string>

#include "artel/core/instant.hpp"

namespace artel::sim::simgrid_check {

/// A transfer between two hosts, by name.
struct TransferPlan {
  Duration start{};
  std::string from;
  std::string to;
  std::uint64_t bytes = 0;
};

/// Work for one core of a host.
struct ExecutionPlan {
  Duration start{};
  std::string host;
  double flops = 0;
};

}  // namespace artel::sim::simgrid_check
