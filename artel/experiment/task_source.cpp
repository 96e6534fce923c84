#include "artel/experiment/task_source.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::experiment {
namespace {

random::Distribution valid(Result<random::Distribution> distribution) {
  ARTEL_REQUIRE(distribution, "a validated scenario has valid distributions",
                distribution.error().what);
  return *std::move(distribution);
}

random::Distribution gap_of(const scenario::Arrivals& arrivals) {
  if (const auto* poisson = std::get_if<scenario::PoissonArrivals>(&arrivals)) {
    return valid(random::Distribution::exponential(1 / poisson->rate));
  }
  return valid(random::Distribution::exponential(1));
}

}  // namespace

TaskSource::TaskSource(const scenario::Scenario& scenario, std::uint32_t replication)
    : scenario_(scenario),
      gap_(gap_of(scenario.workload.arrivals)),
      arrivals_(scenario.run.seed, "arrivals", replication),
      sizes_(scenario.run.seed, "sizes", replication),
      hints_(scenario.run.seed, "hints", replication),
      classes_(scenario.run.seed, "classes", replication),
      keys_(scenario.run.seed, "keys", replication),
      redraws_(scenario.run.seed, "redraws", replication) {
  if (scenario.workload.hint_error > 0) {
    error_ =
        valid(random::Distribution::lognormal({.mu = 0, .sigma = scenario.workload.hint_error}));
  }
}

std::optional<Instant> TaskSource::next_arrival() {
  const auto& run = scenario_.run;
  if (run.tasks && arrived_ >= *run.tasks) return std::nullopt;
  const auto arrival = arrival_after(last_);
  if (!arrival || (run.duration && *arrival > Instant{*run.duration})) return std::nullopt;
  ++arrived_;
  last_ = *arrival;
  return arrival;
}

bool TaskSource::asked(Instant now) {
  const auto& run = scenario_.run;
  if (!may_ask() || (run.duration && now > Instant{*run.duration})) return false;
  ++arrived_;
  return true;
}

std::optional<Instant> TaskSource::arrival_after(Instant last) {
  const auto& arrivals = scenario_.workload.arrivals;
  if (std::holds_alternative<scenario::PoissonArrivals>(arrivals)) {
    return later(last, from_seconds(gap_(arrivals_)));
  }
  if (const auto* constant = std::get_if<scenario::ConstantArrivals>(&arrivals)) {
    // From the count, so that rounding does not add up.
    return Instant{from_seconds(static_cast<double>(arrived_ + 1) / constant->rate)};
  }
  if (const auto* mmpp = std::get_if<scenario::MmppArrivals>(&arrivals))
    return later(last, mmpp_gap(*mmpp));
  if (const auto* timetable = std::get_if<scenario::TimetableArrivals>(&arrivals))
    return timetable->after(last, gap_(arrivals_));
  const auto& times = scenario_.workload.trace->arrivals;
  if (arrived_ >= times.size()) return std::nullopt;
  return std::get<scenario::TraceArrivals>(arrivals).replayed(times[arrived_]);
}

// Exponential work of mean 1 is used up at the state's rate; what is left when the state ends goes
// on in the next.
Duration TaskSource::mmpp_gap(const scenario::MmppArrivals& mmpp) {
  if (arrived_ == 0) {
    state_left_ = from_seconds(to_seconds(mmpp.states[0].mean_duration) * gap_(arrivals_));
  }
  double work = gap_(arrivals_);
  Duration gap{};
  while (true) {
    const auto& state = mmpp.states[state_];
    const Duration needed = state.rate > 0 ? from_seconds(work / state.rate) : kForever;
    if (needed <= state_left_) {
      state_left_ -= needed;
      return gap + needed;
    }
    work = std::max(0.0, work - state.rate * to_seconds(state_left_));
    gap += state_left_;
    state_ = (state_ + 1) % mmpp.states.size();
    state_left_ = from_seconds(to_seconds(mmpp.states[state_].mean_duration) * gap_(arrivals_));
  }
}

std::uint32_t TaskSource::task_class() {
  const auto& classes = scenario_.workload.classes;
  if (classes.empty()) return 0;
  double left = classes_.uniform();
  std::uint32_t number = 0;
  while (number + 1 < classes.size() && left >= classes[number].share)
    left -= classes[number++].share;
  return number;
}

Duration TaskSource::size(std::uint32_t task_class) { return size(task_class, sizes_); }

Duration TaskSource::size(std::uint32_t task_class, random::Stream& stream) {
  const auto& workload = scenario_.workload;
  if (!workload.classes.empty()) {
    const auto& own = workload.classes[task_class].service;
    if (own) return std::max(Duration::zero(), from_seconds((*own)(stream)));
  }
  if (const auto* service = std::get_if<random::Distribution>(&workload.service)) {
    return std::max(Duration::zero(), from_seconds((*service)(stream)));
  }
  return workload.trace->services[arrived_ - 1];
}

TaskSource::Redrawn TaskSource::redraw(std::uint32_t task_class) {
  const auto drawn = size(task_class, redraws_);
  return {.size = drawn, .hint = hint(drawn, redraws_)};
}

Duration TaskSource::hint(Duration size) { return hint(size, hints_); }

Duration TaskSource::hint(Duration size, random::Stream& stream) {
  const auto* trace = scenario_.workload.trace.get();
  if (trace != nullptr && !trace->hints.empty()) return trace->hints[arrived_ - 1];
  if (scenario_.workload.hint_error == 0) return size;
  return from_seconds(to_seconds(size) * error_(stream));
}

}  // namespace artel::experiment
