#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/prefix_cache.hpp"
#include "artel/dispatch/worker_table.hpp"
#include "artel/fleet/detail/caller_life.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/codel.hpp"
#include "artel/fleet/detail/concurrency_limit.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_scaler.hpp"
#include "artel/fleet/detail/forked_tasks.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/simulated_dispatchers.hpp"
#include "artel/fleet/detail/waiting_room.hpp"
#include "artel/fleet/task_source.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {

/// Workers as they are, in simulated time: with slots and disciplines, batches, failures and cold
/// starts, for tasks of several classes that may give up. A SimulatedPool is the fast one for
/// workers that have none of it.
///
/// Dispatchers, bounds and forks are as in a SimulatedPool. What waits in the common queue goes in
/// the order of the workers' discipline. A dispatcher does not know that a worker is broken or
/// cold; work left is the hints of all that is bound to a worker and has not ended. Where a policy
/// decides about the size, those that are on their way go first, the youngest before, then the
/// workers with the fewest tasks; these finish what they have. Where callers send more than one
/// attempt, a task of the fleet is an attempt, and a CallerLife decides about the request;
/// what is measured is the request.
/// Cost: O(log tasks) per event; two events per part, and two more per failure or cold start;
///       O(workers) per worker that leaves. Threads: its simulation's.
class SimulatedFleet : public FleetEventHandler {
 public:
  /// All references must outlive the fleet. Requires: the policy is no closed loop.
  SimulatedFleet(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                 std::uint32_t replication, Meter& meter, ClassMeter& classes);

  /// What this one has served goes on to `stage`, which has no source of its own; to be called in
  /// order, before open(). It must outlive the fleet.
  void add_stage(SimulatedFleet& stage);

  /// Schedules the first events.
  void open();

  /// The handlers of these events, for the simulation to call.
  void on(const fleet_event::TaskArrival& event);
  void on(const fleet_event::UserAsks& event);
  void on(const fleet_event::TryDue& event);
  void on(const fleet_event::TryTimeout& event);
  void on(const fleet_event::HedgeDue& event);
  void on(const fleet_event::Reach& event);
  void on(const fleet_event::GiveUp& event);
  void on(const fleet_event::ServerChange& event);
  void on(const fleet_event::ServerWake& event);
  void on(const fleet_event::Warm& event);
  void on(const fleet_event::Fail& event);
  void on(const fleet_event::Repair& event);
  void on(const fleet_event::OutageStep&);
  void on(const fleet_event::Detected& event);
  void on(const fleet_event::SpeedChange& event);
  void on(const fleet_event::UpToSpeed& event);
  void on(const fleet_event::BindHeld&);
  void on(const fleet_event::Readmitted& event);
  void on(const fleet_event::ViewRefresh&);
  void on(const fleet_event::Look&);
  void on(const fleet_event::Resize& event);
  void on(const fleet_event::WorkerReady& event);

 private:
  enum class Where : std::uint8_t { held /* in the common queue */, travelling, at_worker };
  static constexpr std::uint32_t kNoClass = UINT32_MAX;
  static constexpr std::uint32_t kNoRequest = UINT32_MAX;   // the task is its own
  static constexpr std::uint32_t kNobody = UINT32_MAX - 1;  // the caller has gone on without it
  // A task, or a part of one, or an attempt.
  struct FleetTask {
    Instant arrival{};
    Instant bound{};
    Instant start{};
    Instant due{};    // the request's, whichever attempt, in whichever stage
    Duration size{};  // service time at speed 1
    Duration hint{};
    Duration join{};  // what a batch takes longer by it
    std::uint64_t key = 0;
    std::uint32_t forked = ForkedTasks::kNotForked;
    std::uint32_t note = SimulatedDispatchers::kNotNoted;
    std::uint32_t task_class = kNoClass;
    std::int32_t priority = 0;
    std::uint32_t request = kNoRequest;
    std::uint32_t passing = 0;  // of the fleet that this one is a stage of
    std::uint32_t row = 0;      // of the trace, if workers have caches, or it has their patience
    WorkerId worker{};
    Where where = Where::held;
    bool counted = false;
    bool begun = false;  // as the dispatchers' table knows
    sim::EventId reach{};
    sim::EventId give_up{};
  };
  enum class Departure : std::uint8_t {
    served,
    rejected,
    gave_up,
    lost,        // its worker broke; of a request: or no try was answered in time
    taken_back,  // nobody hears of it
  };
  // What a caller waits for.
  struct Request {
    FleetTask task;            // as its attempts begin
    std::uint64_t serial = 0;  // 0: it has ended
    CallerState state;
    Instant tried{};                      // when this try began
    bool begun = false;                   // any attempt of it, by a worker
    std::vector<std::uint32_t> attempts;  // of it, that are open here …
    std::vector<std::uint32_t> passing;   // … and with the stages after this fleet
    Departure fate = Departure::served;   // of what was heard last
    sim::EventId next{};                  // its time-out, or the next try
    sim::EventId hedge{};
  };
  // A task, or an attempt, that the stages after this fleet see to.
  struct Passing {
    FleetTask task;
    Instant entered{};                 // its stage
    std::size_t stage = 0;             // the next one
    std::vector<std::uint32_t> parts;  // of it, in the stage's fleet
  };
  // What the caller of a request has still to be told.
  struct Heard {
    std::uint32_t request = 0;
    std::uint64_t serial = 0;  // of the request that it is about
    CallerNews news = CallerNews::due;
    Instant start{};  // of the attempt's service, if it was served
    Departure fate = Departure::served;
  };
  struct FleetWorker {
    std::unique_ptr<Server> server;
    double speed = 1;
    Instant since{};           // when its clock was moved last
    std::uint32_t bound = 0;   // tasks, as the meter knows
    std::uint32_t inside = 0;  // of them: in its server
    std::uint32_t busy = 0;    // places, as the meter knows
    std::uint32_t down = 0;    // for so many reasons it is broken
    bool known_down = false;   // to the dispatchers
    std::uint32_t shut = 0;    // for so many reasons they send it nothing
    std::size_t state = 0;     // of the speeds that it goes through …
    std::vector<scenario::SpeedTimetable::Point> points{};  // … by the clock, if it has its own
    double pace = 1;                                        // its own speed times that one
    sim::EventId next_speed{};
    double ease = 1;  // times that, as it has just started
    sim::EventId up_to_speed{};
    bool warm = true;
    bool goes = true;        // as its server knows
    Instant cold_from{};     // if it is idle until then
    random::Stream fate;     // of its failures and cold starts
    sim::EventId turn{};     // of its fate: it breaks, or is whole again
    sim::EventId warming{};  // it has started up
    sim::EventId change{};
    Instant change_at = kNever;  // none is on its way
    sim::EventId wake{};
    Instant wake_at = kNever;

    [[nodiscard]] double rate() const { return down == 0 && warm ? pace * ease : 0; }
  };

  // What a timetable of outages does to a worker.
  struct OutageChange {
    enum class Kind : std::uint8_t { drain, fail, repair, reopen };
    Instant at{};
    WorkerId worker{};
    Kind kind = Kind::fail;
  };

  // A worker on its way.
  struct Newcomer {
    std::uint64_t order = 0;
    sim::EventId join{};
  };

  [[nodiscard]] std::vector<FleetWorker> first_workers();
  [[nodiscard]] FleetWorker new_worker(WorkerId id) const;
  [[nodiscard]] WorkerId join_table(Instant now);
  [[nodiscard]] std::uint32_t size() const;
  void join();
  void resize(std::uint32_t size);
  void send_away();
  void retire_if_gone(WorkerId id);
  [[nodiscard]] FleetWorker& at(WorkerId id) { return workers_[index(id)]; }
  void schedule_arrival();
  void take_arrival();
  void begin(FleetTask& task);
  void serve_stage(std::uint32_t passing);
  void pass_on(const FleetTask& task);
  void go_on(std::uint32_t passing);
  void stage_ended(std::uint32_t passing, Instant start, Departure ending);
  void through(std::uint32_t passing, Departure ending);
  void take_back_passing(const std::vector<std::uint32_t>& numbers);
  void take_back_parts(const std::vector<std::uint32_t>& parts, bool in_service);
  void note_stage(std::size_t stage, const FleetTask& task, Departure ending);
  void note_group(std::uint32_t group, const FleetTask& task, Departure ending);
  [[nodiscard]] bool over() const;
  void think();
  void ask(const FleetTask& task);
  void tell(std::uint32_t request, CallerNews news);
  void tell_callers();
  void hear(const Heard& heard);
  void tell_end(const FleetTask& attempt, Departure ending);
  [[nodiscard]] bool nobody_hears(const FleetTask& attempt) const;
  std::uint32_t follow(std::uint32_t number, const CallerStep& step);
  bool send(std::uint32_t number);
  [[nodiscard]] std::optional<WorkerId> choose_another(const Request& request);
  void take_back_waiting(Request& request);
  void take_back_all(Request& request);
  void end(Request& request);
  [[nodiscard]] std::uint32_t new_task(const FleetTask& task);
  void place(std::uint32_t id, std::optional<WorkerId> chosen);
  [[nodiscard]] dispatch::TaskHints hints_of(const FleetTask& task) const;
  [[nodiscard]] std::span<const float> matched_of(const FleetTask& task);
  [[nodiscard]] std::optional<WorkerId> dispatcher_decides(const FleetTask& task);
  void use_cache(FleetTask& task);
  void empty_cache(WorkerId id);
  [[nodiscard]] WorkerId choose(const FleetTask& task);
  void hold(std::uint32_t id);
  void bind(std::uint32_t id, WorkerId worker);
  void enter(std::uint32_t id);
  bool take_back(std::uint32_t id, bool in_service);
  void leave(std::uint32_t id, Departure ending);
  void finish(FleetTask& task, Departure ending);
  void conclude(const FleetTask& task, Departure ending);
  void bind_held();
  void bind_held_soon();
  [[nodiscard]] ServerJob job_of(std::uint32_t id) const;
  [[nodiscard]] std::size_t in_pool() const { return tasks_.size() - free_tasks_.size(); }
  [[nodiscard]] std::uint32_t bound_of(WorkerId id) const;

  // The fleet that is asked: this one, or that of which it is a stage.
  [[nodiscard]] SimulatedFleet& whole() { return first_ != nullptr ? *first_ : *this; }
  void move_clock(FleetWorker& worker);
  void stop_or_go(FleetWorker& worker);
  void settle(WorkerId id, Departure ending = Departure::served);
  void take_news(WorkerId id, Departure ending);
  void hand_on(WorkerId id);
  void note_idle(WorkerId id);
  void note_starts(FleetWorker& worker);
  void schedule(WorkerId id);
  void plan_outages();
  void plan_failure(WorkerId id);
  void fail(WorkerId id);
  void repair(WorkerId id);
  void plan_speed(WorkerId id);
  void start_slowly(WorkerId id);
  void follow_timetable(WorkerId id, const scenario::SpeedTimetable& timetable);
  [[nodiscard]] std::span<const scenario::SpeedTimetable::Point> points_of(
      WorkerId id, const scenario::SpeedTimetable& timetable);
  void shut(WorkerId id);
  void reopen(WorkerId id);
  void note_failure(WorkerId id);

  const scenario::Scenario& scenario_;
  std::uint32_t replication_;
  std::optional<std::uint32_t> queue_bound_;  // the policy's own
  dispatch::WorkerTable table_;
  Meter& meter_;
  ClassMeter& classes_;
  bool hinted_;      // the policy asks about tasks
  bool grouped_;     // there are some, or stages
  bool one_by_one_;  // a worker's running task is known, and how long it runs
  TaskSource source_;
  bool rows_wait_;                         // each for as long as it says
  const scenario::ClosedArrivals* users_;  // if there are any
  std::uint32_t common_bound_;
  std::vector<FleetWorker> workers_;
  std::vector<dispatch::PrefixCache> caches_;  // by worker, if they have any
  std::vector<float> matched_;                 // by worker, of the task that is decided about
  std::unique_ptr<FleetScaler> scaler_;        // if a policy decides about the size
  std::unique_ptr<ConcurrencyLimit> limit_;    // of admission, if there is one …
  std::optional<Codel> codel_;                 // … likewise
  std::unique_ptr<OutlierEjection> ejection_;
  std::vector<Newcomer> newcomers_;
  std::uint64_t newcomers_ever_ = 0;
  SimulatedDispatchers dispatchers_;
  scenario::FailureSettings failures_;  // if there are any
  std::vector<OutageChange> outages_;   // in order of time …
  std::size_t next_outage_ = 0;         // … and which comes next
  scenario::StartUpSettings start_up_;  // likewise
  random::Stream thinks_;
  std::unique_ptr<CallerLife> caller_;  // if callers do more than send each task once
  std::vector<SimulatedFleet*> stages_;
  SimulatedFleet* first_ = nullptr;  // if this is a stage
  random::Stream routes_;
  std::vector<Passing> passing_;
  std::vector<std::uint32_t> free_passing_;
  std::uint32_t handing_on_ = 0;  // to a stage, or out of a queue: callers hear of it afterwards
  std::vector<Request> requests_;
  std::vector<std::uint32_t> free_requests_;
  std::uint64_t requests_ever_ = 0;
  std::vector<Heard> heard_;
  bool telling_ = false;
  bool source_open_ = true;
  std::uint32_t thinking_ = 0;  // users of closed arrivals that will ask
  std::vector<FleetTask> tasks_;
  std::vector<std::uint32_t> free_tasks_;
  std::size_t in_system_ = 0;  // tasks and parts, requests, and what later stages see to
  WaitingRoom held_;
  bool looks_soon_ = false;  // for whom of it there is room
  bool speeds_alike_;        // of all workers, by the clock
  std::uint64_t arrived_ = 0;
  ServerNews news_;
  std::vector<std::uint32_t> ended_;
  ForkedTasks forked_tasks_;
};

}  // namespace artel::fleet::detail
