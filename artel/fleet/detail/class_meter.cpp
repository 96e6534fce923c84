#include "artel/fleet/detail/class_meter.hpp"

#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"

namespace artel::fleet::detail {

void ClassMeter::arrived(std::uint32_t task_class, bool counted) {
  if (auto* one = measured(task_class, counted)) ++one->counts.arrived;
}

void ClassMeter::rejected(std::uint32_t task_class, bool counted) {
  if (auto* one = measured(task_class, counted)) ++one->counts.rejected;
}

void ClassMeter::gave_up(std::uint32_t task_class, Duration wait, bool counted) {
  if (auto* one = measured(task_class, counted)) {
    ++one->counts.abandoned;
    one->times.waits.record(static_cast<std::uint64_t>(wait.count()));
  }
}

void ClassMeter::lost(std::uint32_t task_class, bool counted) {
  if (auto* one = measured(task_class, counted)) ++one->counts.abandoned;
}

void ClassMeter::late(std::uint32_t task_class, bool counted) {
  if (auto* one = measured(task_class, counted)) ++one->counts.late;
}

void ClassMeter::completed(std::uint32_t task_class, Duration response, Duration wait,
                           bool counted) {
  if (auto* one = measured(task_class, counted)) {
    ++one->counts.completed;
    one->times.responses.record(static_cast<std::uint64_t>(response.count()));
    one->times.waits.record(static_cast<std::uint64_t>(wait.count()));
  }
}

std::vector<ClassSummary> ClassMeter::result() const {
  std::vector<ClassSummary> summaries;
  for (const auto& one : classes_) {
    summaries.push_back(one.counts);
    summaries.back().response = summary_of(one.times.responses);
    summaries.back().wait = summary_of(one.times.waits);
  }
  return summaries;
}

std::vector<CountedTimes> ClassMeter::times() const {
  std::vector<CountedTimes> times;
  for (const auto& one : classes_) times.push_back(one.times);
  return times;
}

}  // namespace artel::fleet::detail
