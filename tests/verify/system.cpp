#include "tests/verify/system.hpp"

#include <utility>
#include "artel/dispatch/policy.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::verify {

scenario::Scenario scenario_of(const SystemSpec& system) {
  scenario::Scenario scenario;
  scenario.workload.service = system.service;
  scenario.workload.mean_service_s = 1;
  scenario.workload.fork = system.fork;
  scenario.workload.rate = system.load * system.workers / system.fork;
  scenario.workload.arrivals = scenario::PoissonArrivals{scenario.workload.rate};
  scenario.pool.speeds.assign(system.workers, 1.0);
  scenario.pool.queue_bounds.assign(system.workers, system.own_queues ? dispatch::kUnbounded : 1);
  scenario.dispatch.policies = {system.policy};
  scenario.run.seed = system.seed;
  scenario.run.tasks = system.tasks;
  return scenario;
}

scenario::PolicySpec labelled(dispatch::Policy policy) {
  scenario::PolicySpec spec;
  spec.label = spec.name = dispatch::name(policy);
  spec.policy = std::move(policy);
  return spec;
}

}  // namespace artel::verify
