#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/usage.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/detail/alarm.hpp"
#include "artel/sim/model/detail/bounded_share.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/sim/model/power.hpp"

namespace artel::sim {

/// Who has the cores of a Compute.
enum class Cores : std::uint8_t {
  /// A computation has its cores for itself until it ends.
  dedicated,
  /// All computations share all cores by preemption, equally or by Computation::weight; each uses
  /// one core at most.
  time_shared,
};

/// A host's cores and memory.
struct ComputeOptions {
  double speed = 1;              ///< flops per second of one core, > 0
  std::uint32_t cores = 1;       ///< ≥ 1
  std::uint64_t memory = 0;      ///< bytes
  Cores use = Cores::dedicated;  ///< whether computations share cores
  Power power = {};
};

/// Cores and memory set aside by hand.
struct Allocation {
  std::uint32_t cores = 0;   ///< not used by computations
  std::uint64_t memory = 0;  ///< bytes
};

namespace detail {

/// A computation asks for cores and memory.
struct ComputeRequest {
  OperationId operation{};
};
/// A computation has ended: this one, or with time-shared cores the next one.
struct ComputeEnd {
  OperationId operation{};
};

}  // namespace detail

/// The processor and the memory of a host.
///
/// A computation that does not fit fails at once; whoever wants a queue keeps one. One that fits
/// gets as many free cores as it can use. With n computations on c time-shared cores, each
/// progresses by speed · min(n, c) / n flops per second; with weights or bounds, by weighted
/// max-min fairness: all rates rise in proportion to the weights until the cores are full, each up
/// to its bound or one core.
///
/// Callbacks: `start_run(computation, id())` gives a number, and later `on(const
/// ComputationStarted&)` and `on(const ComputationFinished&)` are called, or `on(const
/// ComputationFailed&)` in place of either. Coroutines: `co_await compute.run({.flops = 1e9})`.
/// Both cause the same events: the request, the answer at the same instant, the end, and the news
/// of it at the same instant.
/// Cost:    O(1) per computation, O(log n) with time-shared cores, and O(n log n) while one of them
///          has a weight or a bound; no allocation below the peak.
/// Units:   flops, flops per second, bytes.
/// Source:  as DSLab's models of one core and of several. Threads: its simulation's.
class Compute final : public Component<detail::ComputeRequest, detail::ComputeEnd> {
 public:
  explicit Compute(const ComputeOptions& options);
  ~Compute();

  /// `notify` gets a ComputationStarted and a ComputationFinished, or a ComputationFailed.
  OperationId start_run(Computation computation, ComponentId notify);

  /// Given up when the process is cancelled, as losers of any_of are; a Compute that is removed
  /// leaves who awaits it waiting.
  [[nodiscard]] Task<ComputationOutcome> run(Computation computation);

  using Context::cancel;
  /// Ends a computation without a word to who asked for it; the flops that it still had to go.
  /// Nothing when it has ended: what says so may be on its way.
  std::optional<double> cancel(OperationId computation);

  /// Takes cores and memory from a computation, which keeps what it has done. False if it is not
  /// running.
  bool preempt(OperationId computation);
  /// Lets a preempted one go on, with as many cores as it can use now. False if it is not
  /// preempted, or does not fit.
  bool resume(OperationId computation);

  /// 0 to 1; nothing when it has ended.
  [[nodiscard]] std::optional<double> fraction_done(OperationId computation) const;

  /// Sets cores and memory aside; false when that much is not free. Time-shared cores set aside
  /// are missing to the computations.
  bool allocate(const Allocation& allocation);
  /// Requires: no more than is set aside.
  void deallocate(const Allocation& allocation);

  /// Lets the host fail, or be back. Its computations fail, preempted ones too, and its processes
  /// are cancelled; what is set aside stays so.
  void set_up(bool up);
  /// The process runs on this host: when the host fails, it is cancelled (OnExit tells it). Not so
  /// the processes that it spawns, unless they are told to it, too.
  void host(const ProcessRef& process);
  /// Flops per second of one core from now on, for what runs too; 0: it stands still. Requires:
  /// 0 <= speed, finite.
  void set_speed(double speed);

  /// Joules drawn since the start, by ComputeOptions::power.
  [[nodiscard]] double energy() const;
  /// name.utilisation of the cores, name.running: how many computations, and name.time of each,
  /// from start to end, preemption included. See Statistics::watch.
  void measure(Statistics& statistics, std::string_view name);

  /// False after a crash: computations fail.
  [[nodiscard]] bool is_up() const { return up_; }

  /// As of ComputeOptions, or set since: speed() in flops per second of one core, cores().
  [[nodiscard]] double speed() const { return speed_; }
  [[nodiscard]] std::uint32_t cores() const { return cores_; }
  /// Neither set aside nor dedicated to a computation.
  [[nodiscard]] std::uint32_t cores_free() const { return cores_free_; }
  [[nodiscard]] std::uint64_t memory() const { return memory_; }
  [[nodiscard]] std::uint64_t memory_free() const { return memory_free_; }

 private:
  friend struct detail::HandlerAccess;
  void on(const detail::ComputeRequest& request);
  void on(const detail::ComputeEnd& end);

  enum class State : std::uint8_t { requested, running, preempted };

  struct Record {
    Computation computation;
    Listener<Compute> listener;
    State state = State::requested;
    std::uint32_t cores = 0;  // while running
    double left = 0;          // flops, when it last started or stopped
    EventId event{};          // the request; on dedicated cores, the end
    double speedup = 1;       // on dedicated cores
    double rate = 0;          // the same, flops per second
    Instant since{};          // on dedicated cores, when it last started
    ActivityId activity{};    // on time-shared cores
    Instant started{};        // first
  };

  OperationId begin(Computation computation, const Listener<Compute>& listener);
  [[nodiscard]] std::optional<ComputationOutcome> refusal(const Computation& computation) const;
  void start(OperationId id, Record& record);
  void stop(Record& record);
  void fail(OperationId id, ComputationOutcome reason);
  [[nodiscard]] double left(const Record& record) const;
  [[nodiscard]] bool time_shared() const { return use_ == Cores::time_shared; }
  void share_cores();
  void share(OperationId id, Record& record);
  double unshare(const Record& record);
  void share_by_bounds();
  [[nodiscard]] Instant next_end() const;
  void schedule_end(OperationId id, Record& record);
  void note_change();
  [[nodiscard]] double utilisation() const;
  [[nodiscard]] double watts() const;

  double speed_;
  std::uint32_t cores_;
  std::uint32_t cores_free_;
  std::uint64_t memory_;
  std::uint64_t memory_free_;
  Allocation allocated_;
  Cores use_;
  bool up_ = true;
  OperationTable<Record> records_;
  std::vector<ProcessRef> processes_;  // that run on it; some may have ended
  std::size_t running_ = 0;            // computations
  Power power_;
  double joules_ = 0;  // until noted_
  double watts_ = 0;   // since then
  Instant noted_{};
  std::shared_ptr<Usage> usage_;  // who wants to know

  // With time-shared cores only:
  FairShare share_{0.0};
  detail::BoundedShare bounded_share_;  // in its place…
  bool is_bounded_ = false;             // …from the first weight or bound until nothing runs
  std::vector<OperationId> sharing_;    // by slot of the activity
  detail::Alarm<detail::ComputeEnd> alarm_;
};

}  // namespace artel::sim
