#include "artel/pool/detail/pool_recording.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/tick_clock.hpp"
#include "artel/pool/detail/trace_settings.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/task_observer.hpp"
#include "artel/trace/recording.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_recorder.hpp"

namespace artel::pool::detail {
namespace {

static_assert(static_cast<int>(TaskOutcome::done) == static_cast<int>(trace::TaskOutcome::done));
static_assert(static_cast<int>(TaskOutcome::failed) ==
              static_cast<int>(trace::TaskOutcome::failed));
static_assert(static_cast<int>(TaskOutcome::cancelled) ==
              static_cast<int>(trace::TaskOutcome::cancelled));
static_assert(static_cast<int>(TaskOutcome::expired) ==
              static_cast<int>(trace::TaskOutcome::expired));

// A thread that the system stops while it records keeps its lane: there are others for those who
// come meanwhile, so that nothing is dropped while there is memory.
constexpr unsigned kLanesMin = 16;

// A thread that is no worker: some lane, and mostly the same one.
std::size_t lane_of_this_thread() {
  constexpr std::uintptr_t kPage = 4096;  // thread-local storages are at least so far apart
  return std::bit_cast<std::uintptr_t>(&producers_of_thread) / kPage;
}

}  // namespace

PoolRecording::PoolRecording(const PoolOptions& options)
    : options_(options), observer_(options.observer.get()) {}

PoolRecording::~PoolRecording() = default;

Result<void> PoolRecording::start(const std::string& file, const RecordOptions& options) {
  const std::lock_guard lock(lock_);
  if (made_ == nullptr) {
    made_ = std::make_unique<trace::TraceRecorder>(std::max(2 * options_.workers_max, kLanesMin));
  }
  tick_clock.calibrate();
  trace::TraceHeader header{.loop = options.loop, .settings = trace_settings(options_)};
  header.settings.emplace("clock", tick_clock.source());
  if (!options.load.empty()) header.settings.emplace("load", options.load);
  header.started = tick_clock.now();
  header.wall = wall_now();
  auto started = made_->start(file, header, options.recorder);
  if (!started) return started;
  recorder_.store(made_.get());
  return started;
}

Result<trace::Recording> PoolRecording::stop() {
  const std::lock_guard lock(lock_);
  if (recorder_.exchange(nullptr) == nullptr) {
    return fail(ErrorCode::invalid, "no recording is going on");
  }
  return made_->stop(tick_clock.now());
}

std::optional<trace::Recording> PoolRecording::progress() const {
  const std::lock_guard lock(lock_);
  if (made_ == nullptr) return std::nullopt;
  return made_->progress();
}

void PoolRecording::resized(unsigned workers) {
  if (auto* const recorder = recorder_.load(std::memory_order_acquire))
    recorder->resized(tick_clock.now(), workers);
}

void PoolRecording::report(WorkerSlot* slot, TaskTimes& times, Instant started, Instant finished,
                           trace::TaskOutcome outcome) {
  const Instant bound = std::atomic_ref(times.bound).load(std::memory_order_relaxed);
  trace::TaskRecord task{.submitted = times.submitted,
                         .bound = std::max(bound, times.submitted),
                         .outcome = outcome,
                         .priority = static_cast<std::uint8_t>(times.priority),
                         .queued_worker = static_cast<std::uint32_t>(times.queued_worker),
                         .queued_common = static_cast<std::uint32_t>(times.queued_common)};
  // Clocks of different processors may differ by some nanoseconds.
  task.started = std::max(started, task.bound);
  task.finished = std::max(finished, task.started);
  if (slot != nullptr) task.worker = slot->id;
  if (const SubmitConditions* const conditions = conditions_of(times)) {
    task.size = conditions->size;
    if (conditions->deadline != kNever)
      task.patience = std::max(Duration::zero(), conditions->deadline - times.submitted);
  }
  if (observer_ != nullptr && outcome != trace::TaskOutcome::rejected) observer_->ended(task);
  if (times.recorded == 0) return;
  if (auto* const recorder = recorder_.load(std::memory_order_acquire)) {
    recorder->record(slot != nullptr ? index(slot->id) : lane_of_this_thread(), task);
  }
}

void PoolRecording::report_refusal(Job& job) {
  TaskTimes* const times = job.times();
  if (times == nullptr || times->recorded == 0) return;
  const Instant ended = time_for(*times);
  report(nullptr, *times, ended, ended, trace::TaskOutcome::rejected);
}

}  // namespace artel::pool::detail
