#include "artel/fleet/detail/worker_caches.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::fleet::detail {

void WorkerCaches::empty(WorkerId id) {
  const auto& cache = scenario_.pool.worker.cache;
  if (!cache) return;
  while (caches_.size() <= index(id)) caches_.emplace_back(cache->blocks);
  caches_[index(id)].clear();
}

CacheUse WorkerCaches::use(WorkerId id, std::uint32_t row) {
  const auto& trace = *scenario_.workload.trace;
  const auto prefix = trace.prefixes.of(row);
  auto& cache = caches_[index(id)];
  CacheUse use{.held = trace.prefixes.tokens_of(row, cache.matched(prefix)),
               .all = trace.prefixes.tokens_of(row, prefix.size())};
  cache.use(prefix);
  if (use.held == 0 || trace.saves.empty()) return use;
  const double share = static_cast<double>(use.held) / static_cast<double>(use.all);
  use.saved = from_seconds(to_seconds(trace.saves[row]) * share);
  return use;
}

std::span<const float> WorkerCaches::matched(std::uint32_t row) {
  const auto& prefixes = scenario_.workload.trace->prefixes;
  const auto prefix = prefixes.of(row);
  const auto all = static_cast<double>(prefixes.tokens_of(row, prefix.size()));
  matched_.resize(caches_.size());
  for (std::size_t w = 0; w < caches_.size(); ++w) {
    const auto held = prefixes.tokens_of(row, caches_[w].matched(prefix));
    matched_[w] = all > 0 ? static_cast<float>(static_cast<double>(held) / all) : 0;
  }
  return matched_;
}

}  // namespace artel::fleet::detail
