#include "artel/fleet/replication.hpp"

#include <limits>

#include "artel/scenario/objective.hpp"

namespace artel::fleet {
namespace {

double value_of(const TimeSummary& summary, scenario::Statistic statistic) {
  switch (statistic) {
    case scenario::Statistic::mean:
      return summary.mean;
    case scenario::Statistic::p50:
      return summary.p50;
    case scenario::Statistic::p90:
      return summary.p90;
    case scenario::Statistic::p95:
      return summary.p95;
    case scenario::Statistic::p99:
      return summary.p99;
    case scenario::Statistic::p999:
      return summary.p999;
    case scenario::Statistic::max:
      return summary.max;
  }
  return 0;
}

}  // namespace

double value_of(const Replication& replication, scenario::Quantity quantity,
                scenario::Statistic statistic) {
  const bool measured = is_share(quantity) ? replication.arrived > 0 : replication.completed > 0;
  if (!measured) return std::numeric_limits<double>::quiet_NaN();
  switch (quantity) {
    case scenario::Quantity::response:
      return value_of(replication.response, statistic);
    case scenario::Quantity::wait:
      return value_of(replication.wait, statistic);
    case scenario::Quantity::rejected:
      return replication.rejected_share;
    case scenario::Quantity::abandoned:
      return replication.abandoned_share;
    case scenario::Quantity::failed:
      return static_cast<double>(replication.rejected + replication.abandoned + replication.late) /
             static_cast<double>(replication.arrived);
  }
  return 0;
}

}  // namespace artel::fleet
