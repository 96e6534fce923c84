#pragma once

#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/scaling/fleet_sample.hpp"
#include "artel/sim/kernel/component.hpp"

namespace artel::fleet::detail {

/// Payloads of a simulated fleet's events, all to itself.
namespace fleet_event {
struct TaskArrival {  ///< the source's next task comes
  bool last = false;  ///< put_off, here and below
};
struct UserAsks {  ///< one of the closed arrivals' users does
  bool last = false;
};
struct TryDue {           ///< a caller tries again
  std::uint32_t request;  ///< number in the fleet's table
  bool last = false;
};
struct TryTimeout {       ///< a caller's try has not been answered in time
  std::uint32_t request;  ///< number in the fleet's table
  bool last = false;
};
struct HedgeDue {         ///< nor in the time after which another attempt is made
  std::uint32_t request;  ///< number in the fleet's table
  bool last = false;
};
struct Reach {         ///< a task reaches its worker over the network
  std::uint32_t task;  ///< number in the fleet's table
};
struct GiveUp {        ///< a task has waited for as long as it would
  std::uint32_t task;  ///< number in the fleet's table
  bool last = false;
};
struct ServerChange {  ///< a worker's server has come to its next change
  WorkerId worker;
};
struct ServerWake {  ///< a worker's server wants to be woken
  WorkerId worker;
};
struct Woken {  ///< an idle worker that was woken is ready to take a task
  WorkerId worker;
};
struct Begins {  ///< a worker that has taken a task begins to serve it
  WorkerId worker;
};
struct Warm {  ///< a worker has started up
  WorkerId worker;
};
struct Fail {  ///< a worker breaks
  WorkerId worker;
};
struct Repair {  ///< it is whole again
  WorkerId worker;
};
struct OutageStep {};  ///< the timetable of outages has come to its next step
struct Detected {      ///< dispatchers hear whether a worker is broken
  WorkerId worker;
};
struct SpeedChange {  ///< a worker becomes slower or faster
  WorkerId worker;
};
struct BindHeld {};  ///< all that got room at this moment have it: the common queue is looked at
struct UpToSpeed {   ///< a worker that was new is as fast as it gets
  WorkerId worker;
};
struct Readmitted {  ///< a worker that was left out as it failed is not any more
  WorkerId worker;
};
struct ViewRefresh {};        ///< the dispatchers' picture of the loads is renewed
struct Beacon {};             ///< beacons go out to all workers
struct Publish {};            ///< the closed loop publishes a new distribution
struct Look {};               ///< the scaling policy looks at the fleet
struct Resize {               ///< it decides by what it saw
  scaling::FleetSample seen;  ///< a while ago
};
struct WorkerReady {    ///< a new worker takes tasks from now on
  std::uint64_t order;  ///< which of the start-ups that were ordered
};
}  // namespace fleet_event

/// Components with a handler for each of those that a plain fleet has, …
using PlainEventHandler = sim::Component<fleet_event::TaskArrival, fleet_event::ServerChange,
                                         fleet_event::Beacon, fleet_event::Publish>;
/// … who sends tasks to a pool, …
using FleetEventHandler =
    sim::Component<fleet_event::TaskArrival, fleet_event::UserAsks, fleet_event::TryDue,
                   fleet_event::TryTimeout, fleet_event::HedgeDue>;
/// … and the pool.
using PoolEventHandler =
    sim::Component<fleet_event::Reach, fleet_event::GiveUp, fleet_event::ServerChange,
                   fleet_event::ServerWake, fleet_event::Woken, fleet_event::Begins,
                   fleet_event::Warm, fleet_event::Fail, fleet_event::Repair,
                   fleet_event::OutageStep, fleet_event::Detected, fleet_event::SpeedChange,
                   fleet_event::UpToSpeed, fleet_event::BindHeld, fleet_event::Readmitted,
                   fleet_event::ViewRefresh, fleet_event::Beacon, fleet_event::Publish,
                   fleet_event::Look, fleet_event::Resize, fleet_event::WorkerReady>;

}  // namespace artel::fleet::detail
