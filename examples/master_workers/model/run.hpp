#pragma once

#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/trace/fingerprint.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace master_workers {

enum class Style : std::uint8_t { callback, coroutine };

/// How the network carries what the master sends out.
enum class Sharing : std::uint8_t {
  constant,  ///< 1000 bytes per second for each transfer
  shared,    ///< 1000 bytes per second for all of them
};

struct RunOptions {
  artel::dispatch::Policy policy;
  Style style = Style::coroutine;
  Sharing network = Sharing::constant;
  bool fingerprint = false;
};

struct Summary {
  std::uint32_t completed = 0;
  std::uint64_t events = 0;
  artel::Duration makespan{};
  double run_seconds = 0;         ///< of the computer: from the first event to the last
  double scheduling_seconds = 0;  ///< of them, in the master's choice of workers
  artel::trace::Fingerprint fingerprint;
};

[[nodiscard]] Summary run(const Workload& workload, const RunOptions& options);

}  // namespace master_workers
