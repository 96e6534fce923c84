#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "artel/core/id.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/sim/model/speedup.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {

/// Work for a Compute. On c cores it takes flops / (speed · speedup(c)) seconds, or longer when it
/// is bounded.
struct Computation {
  double flops = 0;             ///< ≥ 0
  std::uint64_t memory = 0;     ///< bytes, for as long as it runs
  std::uint32_t cores_min = 1;  ///< ≥ 1
  std::uint32_t cores_max = 1;  ///< ≥ cores_min; it gets as many as are free
  Speedup speedup = nullptr;    ///< empty: linear
  double weight = 1;            ///< > 0: its part of time-shared cores, beside those of others
  double bound = std::numeric_limits<double>::infinity();  ///< flops per second at most, > 0
};

/// How a computation ended.
enum class ComputationOutcome : std::uint8_t {
  finished,           ///< it did all its flops
  not_enough_cores,   ///< fewer than cores_min are free
  not_enough_memory,  ///< less than it needs is free
  host_down,          ///< when it was to start, or while it ran
};
/// "finished", "not enough cores", …
[[nodiscard]] std::string_view describe(ComputationOutcome outcome);

/// A computation has got its cores and its memory.
struct ComputationStarted {
  OperationId operation{};
  std::uint32_t cores = 0;
};
/// A computation has run to its end.
struct ComputationFinished {
  OperationId operation{};
};
/// A computation could not start, or was cut off.
struct ComputationFailed {
  OperationId operation{};
  ComputationOutcome reason{};  ///< never `finished`
};

/// What processes wait for it by: the operation.
[[nodiscard]] inline std::uint64_t key_of(const ComputationStarted& started) {
  return index(started.operation);
}
[[nodiscard]] inline std::uint64_t key_of(const ComputationFinished& finished) {
  return index(finished.operation);
}
[[nodiscard]] inline std::uint64_t key_of(const ComputationFailed& failed) {
  return index(failed.operation);
}
/// What a run's fingerprint takes of it.
void add_to(trace::Fingerprint& print, const ComputationStarted& started);
void add_to(trace::Fingerprint& print, const ComputationFailed& failed);

}  // namespace artel::sim
