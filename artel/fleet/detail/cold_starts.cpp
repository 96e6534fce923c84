#include "artel/fleet/detail/cold_starts.hpp"

#include <algorithm>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_workers.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/sim/kernel/context.hpp"

namespace artel::fleet::detail {

ColdStarts::ColdStarts(const scenario::Scenario& scenario, FleetWorkers& workers,
                       sim::Context& events)
    : any_(scenario.pool.worker.start_up.has_value()),
      settings_(scenario.pool.worker.start_up.value_or(scenario::StartUpSettings{})),
      workers_(workers),
      events_(events) {}

bool ColdStarts::begins(WorkerId id) {
  auto& worker = workers_.at(id);
  if (!any_ || worker.inside > 0 || !worker.warm || events_.now() < worker.cold_from) return false;
  worker.warm = false;
  const double seconds = settings_.time(worker.fate);
  worker.warming = events_.emit_self(fleet_event::Warm{id}, from_seconds(std::max(0.0, seconds)));
  return true;
}

void ColdStarts::idle(WorkerId id) {
  workers_.at(id).cold_from = later(events_.now(), std::max(settings_.keep_warm, Duration{1}));
}

void ColdStarts::retired(WorkerId id) {
  auto& worker = workers_.at(id);
  if (!worker.warm) events_.cancel(worker.warming);
  worker.warm = true;
}

}  // namespace artel::fleet::detail
