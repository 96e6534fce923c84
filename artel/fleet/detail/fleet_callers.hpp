#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/caller_life.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

/// What callers ask of the fleet.
class CallersHost {
 public:
  /// Where an attempt goes.
  struct Choice {
    bool possible = true;  ///< false: there is no other worker to send it to
    std::optional<WorkerId> worker{};
  };

  /// The size and hint that another attempt of the task has.
  virtual void draw_again(FleetTask& task) = 0;
  /// Where the next attempt goes, beside those that are open.
  [[nodiscard]] virtual Choice choose_for(const FleetTask& task,
                                          const std::vector<std::uint32_t>& open) = 0;
  /// A number for the attempt, which is to be placed then.
  [[nodiscard]] virtual std::uint32_t new_attempt(const FleetTask& task) = 0;
  virtual void place(std::uint32_t id, std::optional<WorkerId> chosen) = 0;
  /// From wherever it waits, or is served; false if it cannot be had. It has still to leave.
  [[nodiscard]] virtual bool take_back(std::uint32_t id, bool in_service) = 0;
  /// The attempt has no caller any more.
  virtual void forget_caller(std::uint32_t id) = 0;
  /// It was taken back.
  virtual void leave_taken_back(std::uint32_t id) = 0;
  /// Attempts that the stages after this fleet see to, for which nobody waits.
  virtual void take_back_passing(const std::vector<std::uint32_t>& numbers) = 0;
  /// The attempt's worker has not answered in time.
  virtual void answered_late(std::uint32_t id) = 0;
  /// A request is in the system from now on …
  virtual void request_entered() = 0;
  /// … and is not any more.
  virtual void request_left() = 0;
  /// All that was to be done for the request has been done.
  virtual void finish(FleetTask& request, TaskEnding ending) = 0;
  /// Tasks of the common queues go to workers with room.
  virtual void bind_all_held() = 0;

 protected:
  ~CallersHost() = default;
};

/// The requests of a simulated fleet whose callers do more than send each task once: which attempts
/// of each are open, what its caller has still to hear, and what it does then.
///
/// CallerLife decides; this sends and takes back.
/// Invariants:
///  1  A request's lists name the attempts that its caller still waits for, and no others.
///  2  Callers hear one after the other, and never while a worker is in the middle of something:
///     what one of them does makes news for others, which wait for their turn.
///  3  News of a request that has ended meanwhile is dropped.
/// Cost: O(attempts of the request) each. Threads: its simulation's.
class FleetCallers {
 public:
  /// All references must outlive it; `events` handles the events and gives them to on().
  FleetCallers(const scenario::Scenario& scenario, std::uint32_t replication, CallersHost& host,
               sim::Context& events);

  /// Whether callers do more than send each task once. If not, nothing else may be asked.
  [[nodiscard]] bool active() const { return life_ != nullptr; }
  /// A request comes. To be followed by hear_all().
  void ask(const FleetTask& task);
  /// Whether somebody has still to hear something.
  [[nodiscard]] bool news() const { return !heard_.empty(); }
  /// All callers hear what there is for them.
  void hear_all();

  void on(const fleet_event::TryDue& event);
  void on(const fleet_event::TryTimeout& event);
  void on(const fleet_event::HedgeDue& event);

  // What happens to attempts. Each has a request whose caller waits for it.

  /// A worker has begun it.
  void began(const FleetTask& attempt);
  /// It is not with the fleet's own workers any more.
  void left(const FleetTask& attempt, std::uint32_t id);
  /// The stages after the fleet see to it, under that number …
  void passes_on(const FleetTask& attempt, std::uint32_t number);
  /// … and do not any more.
  void been_through(const FleetTask& attempt, std::uint32_t number);
  /// It has ended: its caller is to hear of that.
  void ended(const FleetTask& attempt, TaskEnding ending);

 private:
  // What a caller waits for.
  struct Request {
    FleetTask task;            // as its attempts begin
    std::uint64_t serial = 0;  // 0: it has ended
    CallerState state;
    Instant tried{};                       // when this try began
    bool begun = false;                    // any attempt of it, by a worker
    std::vector<std::uint32_t> attempts;   // of it, that are open here …
    std::vector<std::uint32_t> passing;    // … and with the stages after this fleet
    TaskEnding fate = TaskEnding::served;  // of what was heard last
    sim::EventId next{};                   // its time-out, or the next try
    sim::EventId hedge{};
  };
  // What the caller of a request has still to be told.
  struct Heard {
    std::uint32_t request = 0;
    std::uint64_t serial = 0;  // of the request that it is about
    CallerNews news = CallerNews::due;
    Instant start{};  // of the attempt's service, if it was served
    TaskEnding fate = TaskEnding::served;
  };

  template <class Event>
  void time_has_come(const Event& event, sim::EventId Request::* timer, CallerNews news);
  void tell(std::uint32_t request, CallerNews news);
  void hear(const Heard& heard);
  std::uint32_t follow(std::uint32_t number, const CallerStep& step);
  bool send(std::uint32_t number);
  void take_back_waiting(Request& request);
  void take_back_all(Request& request);
  void end(Request& request);

  const scenario::CallerSettings& settings_;
  CallersHost& host_;
  sim::Context& events_;
  std::unique_ptr<CallerLife> life_;  // if they do
  std::vector<Request> requests_;
  std::vector<std::uint32_t> free_;
  std::uint64_t requests_ever_ = 0;
  std::vector<Heard> heard_;
  bool hearing_ = false;
};

}  // namespace artel::fleet::detail
