#include "artel/predict/detail/recorded_fleet.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/predict/detail/most_at_once.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict::detail {
namespace {

constexpr std::uint32_t kWorkersMax = 100'000;  // as in scenarios

// Of a pool that was resized.
std::uint32_t size_at(const trace::TaskTrace& trace, Instant first) {
  auto size = trace.sizes.front().workers;
  for (const auto& change : trace.sizes) {
    if (change.at <= first) size = change.workers;
  }
  return size;
}

bool come_and_go(std::uint32_t workers, std::size_t tasks) {
  constexpr std::uint32_t kLeast = 10;  // fewer tell nothing
  return workers >= kLeast && std::size_t{2} * workers > tasks;
}

// Whether tasks waited so much that all workers there were must have been busy.
bool waited(const std::vector<trace::TaskRecord>& ran) {
  constexpr double kShare = 0.1;  // of the work: less is the way to the worker
  Duration wait{}, service{};
  for (const auto& task : ran) {
    wait += task.queue_delay();
    service += task.service();
  }
  return to_seconds(wait) > kShare * to_seconds(service);
}

}  // namespace

Result<RecordedFleet> recorded_fleet(const trace::TaskTrace& trace,
                                     const std::vector<trace::TaskRecord>& ran) {
  std::uint32_t seen = 0;
  for (const auto& task : ran) {
    if (task.worker == trace::TaskRecord::kNobody) continue;
    if (index(task.worker) >= kWorkersMax) {
      return fail(ErrorCode::too_large, fmt::format("found worker {}; allowed: less than {}",
                                                    index(task.worker), kWorkersMax));
    }
    seen = std::max(seen, static_cast<std::uint32_t>(index(task.worker)) + 1);
  }
  const auto stated = parse_number<std::uint32_t>(trace.header.setting("pool.workers"));
  if (stated && !trace.sizes.empty())  // who else was seen came later
    return RecordedFleet{.workers = size_at(trace, trace.tasks.front().submitted), .note = {}};
  if (stated || (seen > 0 && !come_and_go(seen, ran.size())))
    return RecordedFleet{.workers = std::max(stated.value_or(0), seen), .note = {}};
  RecordedFleet fleet{.workers = most_at_once(ran), .known = false, .note = {}};
  fleet.note = seen == 0
                   ? fmt::format(
                         "the trace does not name the workers: {} are taken, as many as were ever "
                         "busy at once",
                         fleet.workers)
                   : fmt::format(
                         "{} ran {}: they come and go with them; {} are taken, as "
                         "many as were ever busy at once",
                         how_many(seen, "worker"), how_many(ran.size(), "task"), fleet.workers);
  return fleet;
}

std::vector<std::string> changes_to_recorded(const trace::TaskTrace& trace,
                                             const std::optional<std::uint32_t>& workers,
                                             const std::string& policy) {
  std::vector<std::string> changes;
  if (workers && trace.header.starts_known()) {
    std::vector<trace::TaskRecord> ran;
    std::ranges::copy_if(trace.tasks, std::back_inserter(ran),
                         [](const auto& task) { return trace::ran(task.outcome); });
    const auto fleet = recorded_fleet(trace, ran);
    const bool differs = fleet && *workers != fleet->workers &&
                         (fleet->known || *workers < fleet->workers || waited(ran));
    if (differs)
      changes.push_back(
          fmt::format("{} instead of {}", how_many(*workers, "worker"), fleet->workers));
  }
  const auto recorded = scenario::parse_policy_spec(trace.header.setting("policy"));
  const auto wanted = scenario::parse_policy_spec(policy);
  if (recorded && wanted && recorded->label != wanted->label)
    changes.push_back(fmt::format("{} instead of {}", wanted->label, recorded->label));
  return changes;
}

}  // namespace artel::predict::detail
