#include "artel/experiment/class_result.hpp"

#include <cstddef>
#include <cstdint>

#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication.hpp"

namespace artel::experiment {
PolicyResult class_result(const PolicyResult& policy, std::size_t task_class) {
  PolicyResult result{.label = policy.label, .exact = policy.exact};
  if (!policy.class_times.empty()) result.times = policy.class_times.at(task_class);
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  for (const auto& all : policy.replications) {
    const auto& one = all.classes.at(task_class);
    auto& replication = result.replications.emplace_back(all);
    replication.classes.clear();
    replication.response = one.response;
    replication.wait = one.wait;
    replication.arrived = one.arrived;
    replication.completed = one.completed;
    replication.rejected = one.rejected;
    replication.rejected_share = share(one.rejected, one.arrived);
    replication.abandoned = one.abandoned;
    replication.late = one.late;
    replication.abandoned_share = share(one.abandoned, one.arrived);
  }
  return result;
}

}  // namespace artel::experiment
