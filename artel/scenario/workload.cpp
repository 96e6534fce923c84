#include "artel/scenario/workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::scenario {

// The parts of a day, each in a straight line: from point to point, the last one over midnight to
// the first.
Duration TimetableArrivals::begin_of(std::size_t part) const {
  return points[part % points.size()].at + day * static_cast<std::int64_t>(part / points.size());
}

double TimetableArrivals::tasks_per_day() const {
  double tasks = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double rates = points[i].rate + points[(i + 1) % points.size()].rate;
    tasks += rates / 2 * to_seconds(begin_of(i + 1) - begin_of(i));
  }
  return tasks;
}

Instant TimetableArrivals::after(Instant from, double tasks) const {
  const double today = tasks_per_day();
  ARTEL_REQUIRE(today > 0, "a timetable has a rate above 0");
  const auto midnight = from - from.time_since_epoch() % day;
  auto time = from - midnight;
  // Before the first point it is still the last part of the day before.
  std::size_t part = points.size() - 1;
  if (time < points.front().at) {
    time += day;
  } else {
    while (points[part].at > time) --part;
  }
  const auto whole_days = std::floor(tasks / today);
  tasks -= whole_days * today;
  auto at = later(from, from_seconds(to_seconds(day) * whole_days));
  for (;; ++part) {
    const double length = to_seconds(begin_of(part + 1) - begin_of(part));
    const double first = points[part % points.size()].rate;
    const double last = points[(part + 1) % points.size()].rate;
    const double slope = (last - first) / length;
    const double rate = std::max(0.0, first + slope * to_seconds(time - begin_of(part)));
    const auto left = begin_of(part + 1) - time;
    const double here = (rate + last) / 2 * to_seconds(left);
    if (tasks < here) {
      // rate · x + slope / 2 · x² = tasks, in the form that loses no digits for a slope near 0.
      const double root = std::sqrt(std::max(0.0, rate * rate + 2 * slope * tasks));
      const double x = tasks > 0 ? 2 * tasks / (rate + root) : 0;
      return later(at, std::min(left, from_seconds(x)));
    }
    tasks -= here;
    at = later(at, left);
    time = begin_of(part + 1);
  }
}

namespace {

struct Faster {
  double factor;
  void operator()(PoissonArrivals& arrivals) const { arrivals.rate *= factor; }
  void operator()(ConstantArrivals& arrivals) const { arrivals.rate *= factor; }
  void operator()(MmppArrivals& arrivals) const {
    for (auto& state : arrivals.states) state.rate *= factor;
  }
  void operator()(TimetableArrivals& arrivals) const {
    for (auto& point : arrivals.points) point.rate *= factor;
  }
  void operator()(TraceArrivals& arrivals) const { arrivals.scale *= factor; }
  void operator()(ClosedArrivals& /*arrivals*/) const {}
  void operator()(RenewalArrivals& arrivals) const {
    arrivals.gap = arrivals.gap.scaled(1 / factor);
  }
  void operator()(SummedArrivals& arrivals) const {
    for (auto& source : arrivals.sources) {
      make_faster(source.arrivals, factor);
      source.rate *= factor;
    }
  }
};

}  // namespace

void make_faster(Arrivals& arrivals, double factor) { std::visit(Faster{factor}, arrivals); }

double mean_batch(const BatchSizes& batch) {
  if (batch.empty()) return 1;
  return std::accumulate(batch.begin(), batch.end(), 0.0) / static_cast<double>(batch.size());
}

bool drawn(const Arrivals& arrivals, const BatchSizes& batch) {
  if (batch.size() > 1) return true;
  if (const auto* renewal = std::get_if<RenewalArrivals>(&arrivals))
    return renewal->gap.variance() > 0;
  if (const auto* sum = std::get_if<SummedArrivals>(&arrivals))
    return std::ranges::any_of(
        sum->sources, [](const ArrivalSource& one) { return drawn(one.arrivals, one.batch); });
  return !std::holds_alternative<ConstantArrivals>(arrivals) &&
         !std::holds_alternative<TraceArrivals>(arrivals);
}

const TimetableArrivals* timetable_of(const Arrivals& arrivals) {
  if (const auto* timetable = std::get_if<TimetableArrivals>(&arrivals)) return timetable;
  if (const auto* sum = std::get_if<SummedArrivals>(&arrivals)) {
    for (const auto& source : sum->sources)
      if (const auto* timetable = timetable_of(source.arrivals)) return timetable;
  }
  return nullptr;
}

bool Workload::has_deadline() const {
  return deadline < kForever ||
         std::ranges::any_of(
             classes, [](const TaskClass& one) { return one.deadline.has_value(); });
}

Instant TraceArrivals::replayed(Instant at) const {
  return scale == 1 ? at : Instant{from_seconds(to_seconds(at) / scale)};
}

}  // namespace artel::scenario
