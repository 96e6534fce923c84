#include "artel/cluster/local_fleet.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "artel/cluster/detail/new_worker_id.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

LocalFleet::LocalFleet() : host_(detail::host_name()) {}

void LocalFleet::add(const std::string& worker, const Known& now) {
  Known& before = known_[worker];
  measured_ += now.measured - std::min(before.measured, now.measured);
  service_ += std::max(Duration{}, now.service - before.service);
  busy_ += std::max(Duration{}, now.busy - before.busy);
  before = now;
}

LocalFleet::Figures LocalFleet::look(const PoolStatus& status,
                                     const std::set<std::int64_t>& processes) {
  Figures figures{.queued = status.queued, .arrived = status.arrived};
  for (const auto& [report, chunks_per_s, busy_share] : status.workers) {
    if (report.host != host_ || !processes.contains(report.pid)) continue;
    Known now{.process = report.pid,
              .in_hand = report.held.size(),
              .measured = report.done + report.failed,
              .service = report.busy,
              .busy = report.busy};
    for (const LeasedChunk& chunk : report.held) {
      if (chunk.running > Duration{}) ++now.running;
      now.busy += chunk.running;
    }
    add(report.worker, now);
    figures.answered[report.pid] = report.held.size();
  }
  for (auto entry = known_.begin(); entry != known_.end();)
    entry = processes.contains(entry->second.process) ? std::next(entry) : known_.erase(entry);
  for (const auto& [worker, known] : known_) {
    figures.in_hand += known.in_hand;
    figures.running += known.running;
  }
  figures.measured = measured_;
  figures.service = service_;
  figures.busy = busy_;
  return figures;
}

}  // namespace artel::cluster
