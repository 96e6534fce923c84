// Recording: what a trace file gets to know.
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "artel/error/error.hpp"
#include "artel/pool/job.hpp"
#include "artel/pool/place.hpp"
#include "artel/pool/pool_core.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/producer.hpp"
#include "artel/pool/stamp.hpp"
#include "artel/pool/task_observer.hpp"
#include "artel/pool/tick_clock.hpp"
#include "artel/pool/trace_settings.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_recorder.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {
namespace {

static_assert(static_cast<int>(Outcome::done) == static_cast<int>(trace::TaskOutcome::done));
static_assert(static_cast<int>(Outcome::failed) == static_cast<int>(trace::TaskOutcome::failed));
static_assert(static_cast<int>(Outcome::cancelled) ==
              static_cast<int>(trace::TaskOutcome::cancelled));
static_assert(static_cast<int>(Outcome::expired) == static_cast<int>(trace::TaskOutcome::expired));

// A thread that the system stops while it records keeps its lane: there are others for those who
// come meanwhile, so that nothing is dropped while there is memory.
constexpr unsigned kLanesMin = 16;

// A thread that is no worker: some lane, and mostly the same one.
std::size_t lane_of_this_thread() {
  constexpr std::uintptr_t kPage = 4096;  // thread-local storages are at least so far apart
  return std::bit_cast<std::uintptr_t>(&this_producer) / kPage;
}

}  // namespace

Result<void> PoolCore::start_recording(const std::filesystem::path& path,
                                       const RecordOptions& options) {
  const std::lock_guard lock(recorder_lock_);
  if (recorder_made_ == nullptr) {
    recorder_made_ =
        std::make_unique<trace::TraceRecorder>(std::max(2 * options_.workers_max, kLanesMin));
  }
  tick_clock.calibrate();
  trace::TraceHeader header{.loop = options.loop, .settings = trace_settings(options_)};
  header.settings.emplace("clock", tick_clock.source());
  if (!options.load.empty()) header.settings.emplace("load", options.load);
  header.started = tick_clock.now();
  header.wall = std::chrono::system_clock::now().time_since_epoch();
  auto started = recorder_made_->start(path, header, options.recorder);
  if (!started) return started;
  recorder_.store(recorder_made_.get());
  return started;
}

Result<trace::Recording> PoolCore::stop_recording() {
  const std::lock_guard lock(recorder_lock_);
  if (recorder_.exchange(nullptr) == nullptr) {
    return fail(ErrorCode::invalid, "no recording is going on");
  }
  return recorder_made_->stop(tick_clock.now());
}

std::optional<trace::Recording> PoolCore::recording_progress() const {
  const std::lock_guard lock(recorder_lock_);
  if (recorder_made_ == nullptr) return std::nullopt;
  return recorder_made_->progress();
}

void PoolCore::report(Place* place, Stamp& stamp, Instant started, Instant finished,
                      trace::TaskOutcome outcome) {
  const Instant bound = std::atomic_ref(stamp.bound).load(std::memory_order_relaxed);
  trace::TaskRecord task{.submitted = stamp.submitted,
                         .bound = std::max(bound, stamp.submitted),
                         .outcome = outcome,
                         .priority = static_cast<std::uint8_t>(stamp.priority),
                         .queued_worker = static_cast<std::uint32_t>(stamp.queued_worker),
                         .queued_common = static_cast<std::uint32_t>(stamp.queued_common)};
  // Clocks of different processors may differ by some nanoseconds.
  task.started = std::max(started, task.bound);
  task.finished = std::max(finished, task.started);
  if (place != nullptr) task.worker = place->id;
  if (const Ticket* const ticket = ticket_of(stamp)) task.size = ticket->size;
  if (observer_ != nullptr && outcome != trace::TaskOutcome::rejected) observer_->ended(task);
  if (stamp.recorded == 0) return;
  if (auto* const recorder = recorder_.load(std::memory_order_acquire)) {
    recorder->record(place != nullptr ? index(place->id) : lane_of_this_thread(), task);
  }
}

void PoolCore::record_refusal(Job& job) {
  Stamp* const stamp = job.stamp();
  if (stamp == nullptr || stamp->recorded == 0) return;
  const Instant ended = time_for(*stamp);
  report(nullptr, *stamp, ended, ended, trace::TaskOutcome::rejected);
}

}  // namespace artel::pool
