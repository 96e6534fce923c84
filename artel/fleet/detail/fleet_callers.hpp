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
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/stages.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

/// Who wants to hear what became of requests.
class CallersHost {
 public:
  /// All that was to be done for the request has been done.
  virtual void request_ended(FleetTask& request, TaskEnding ending) = 0;

 protected:
  ~CallersHost() = default;
};

/// The requests of a simulated fleet whose callers do more than send each task once: which attempts
/// of each are open, what its caller has still to hear, and what it does then.
///
/// CallerLife decides; this sends to the pool and takes back, from there and from later stages.
/// Invariants:
///  1  A request's lists name the attempts that its caller still waits for, and no others.
///  2  Callers hear one after the other, and never while a worker is in the middle of something:
///     what one of them does makes news for others, which wait for their turn.
///  3  News of a request that has ended meanwhile is dropped.
/// Cost: O(attempts of the request) each. Threads: its simulation's.
class FleetCallers {
 public:
  /// All references must outlive it; `events` handles the events and gives them to on().
  FleetCallers(const scenario::Scenario& scenario, std::uint32_t replication, FleetPool& pool,
               Stages& stages, Meter& meter, CallersHost& host, sim::Context& events);

  /// Whether callers do more than send each task once. If not, nothing else may be asked.
  [[nodiscard]] bool active() const { return life_ != nullptr; }
  /// A request comes. To be followed by hear_all().
  void ask(const FleetTask& task);
  /// Requests that have not ended.
  [[nodiscard]] std::size_t open() const { return requests_.size() - free_.size(); }
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
  [[nodiscard]] std::optional<WorkerId> choose_another(const Request& request);
  void take_back_waiting(Request& request);
  void take_back_all(Request& request);
  void end(Request& request);

  const scenario::CallerSettings& settings_;
  FleetPool& pool_;
  Stages& stages_;
  Meter& meter_;
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
