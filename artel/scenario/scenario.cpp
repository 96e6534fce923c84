#include "artel/scenario/scenario.hpp"

namespace artel::scenario {

double Scenario::load() const {
  return workload.rate * workload.mean_service_s * workload.fork /
         pool.capacity(workload.mean_service_s);
}

bool Scenario::plain() const {
  return pool.worker.plain() && !pool.scaling && workload.classes.empty() && !workload.patience;
}

}  // namespace artel::scenario
