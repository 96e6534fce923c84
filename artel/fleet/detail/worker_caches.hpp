#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/prefix_cache.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

/// What a task found in its worker's cache.
struct CacheUse {
  std::uint64_t held = 0;  ///< tokens of its prefix that were there
  std::uint64_t all = 0;   ///< tokens of its prefix
  Duration saved{};        ///< of its service, or of what a batch takes longer by it
};

/// The caches of a simulated fleet's workers: what each holds of the prefixes of the trace's rows.
///
/// A fleet whose workers have no caches has none here either: any() is false, and nothing else may
/// be asked.
/// Cost: O(blocks of the prefix) per use; matched() asks every worker. Threads: its simulation's.
class WorkerCaches {
 public:
  /// `scenario` must outlive it.
  explicit WorkerCaches(const scenario::Scenario& scenario) : scenario_(scenario) {}

  [[nodiscard]] bool any() const { return !caches_.empty(); }
  /// The worker begins with an empty cache, if workers have one.
  void empty(WorkerId id);
  /// The task of that row has come to the worker.
  [[nodiscard]] CacheUse use(WorkerId id, std::uint32_t row);
  /// The share of the row's prefix that each worker holds, 0 to 1; good until the next call.
  [[nodiscard]] std::span<const float> matched(std::uint32_t row);

 private:
  const scenario::Scenario& scenario_;
  std::vector<dispatch::PrefixCache> caches_;  // by worker
  std::vector<float> matched_;                 // by worker, of the task that is decided about
};

}  // namespace artel::fleet::detail
