#include "artel/fleet/task_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/fleet/detail/arrival_process.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::fleet {
namespace {

random::Distribution valid(Result<random::Distribution> distribution) {
  ARTEL_REQUIRE(distribution, "a validated scenario has valid distributions",
                distribution.error().what);
  return *std::move(distribution);
}

bool has_exact_hints(const scenario::Workload& workload) {
  return workload.hint_error == 0 && (workload.trace == nullptr || workload.trace->hints.empty());
}

}  // namespace

TaskSource::TaskSource(const scenario::Scenario& scenario, std::uint32_t replication)
    : scenario_(scenario),
      service_(std::get_if<random::Distribution>(&scenario.workload.service)),
      exact_hints_(has_exact_hints(scenario.workload)),
      sizes_(scenario.run.seed, "sizes", replication),
      hints_(scenario.run.seed, "hints", replication),
      classes_(scenario.run.seed, "classes", replication),
      keys_(scenario.run.seed, "keys", replication),
      redraws_(scenario.run.seed, "redraws", replication),
      patience_(scenario.run.seed, "patience", replication) {
  open_sources(replication);
  if (scenario.workload.trace && !scenario.workload.trace->prefixes.empty())
    prefixes_ = &scenario.workload.trace->prefixes;
  keyed_ = scenario.workload.keys || prefixes_ != nullptr || !scenario.workload.classes.empty();
  if (scenario.workload.hint_error > 0) {
    error_ =
        valid(random::Distribution::lognormal({.mu = 0, .sigma = scenario.workload.hint_error}));
  }
}

void TaskSource::open_sources(std::uint32_t replication) {
  const auto& workload = scenario_.workload;
  const auto seed = scenario_.run.seed;
  if (const auto* sum = std::get_if<scenario::SummedArrivals>(&workload.arrivals)) {
    for (std::size_t i = 0; i < sum->sources.size(); ++i) {
      const auto& one = sum->sources[i];
      const random::Stream dice(seed, "arrivals of a source",
                                (std::uint64_t{replication} << 32U) + i);
      detail::ArrivalProcess process(one.arrivals, one.batch, dice);
      const auto first = process.next();
      sources_.push_back({process, first});
    }
  } else if (!std::holds_alternative<scenario::TraceArrivals>(workload.arrivals) &&
             !std::holds_alternative<scenario::ClosedArrivals>(workload.arrivals)) {
    const random::Stream dice(seed, "arrivals", replication);
    sources_.push_back({detail::ArrivalProcess(workload.arrivals, workload.batch, dice), {}});
  }
}

std::optional<Instant> TaskSource::next_arrival() {
  const auto& run = scenario_.run;
  if (run.tasks && arrived_ >= *run.tasks) return std::nullopt;
  const auto arrival = following();
  if (!arrival || (run.duration && *arrival > Instant{*run.duration})) return std::nullopt;
  ++arrived_;
  return arrival;
}

bool TaskSource::asked(Instant now) {
  const auto& run = scenario_.run;
  if (!may_ask() || (run.duration && now > Instant{*run.duration})) return false;
  ++arrived_;
  return true;
}

std::optional<Instant> TaskSource::following() {
  if (sources_.size() == 1) return sources_.front().process.next();
  if (const auto* trace = std::get_if<scenario::TraceArrivals>(&scenario_.workload.arrivals)) {
    const auto& times = scenario_.workload.trace->arrivals;
    if (arrived_ >= times.size()) return std::nullopt;
    return trace->replayed(times[arrived_]);
  }
  auto& first = *std::ranges::min_element(sources_, {}, &Source::next);
  return std::exchange(first.next, first.process.next());
}

// Keys begin with 1.
std::uint64_t TaskSource::first_block() const {
  const auto prefix = prefixes_->of(arrived_ - 1);
  return prefix.empty() ? 0 : prefix.front() + 1;
}

std::uint32_t TaskSource::task_class() {
  const auto& classes = scenario_.workload.classes;
  if (classes.empty()) return 0;
  const auto number = next_class();
  class_key_ = classes[number].key;
  return number;
}

std::uint32_t TaskSource::next_class() {
  const auto& classes = scenario_.workload.classes;
  const auto* trace = scenario_.workload.trace.get();
  if (trace != nullptr && !trace->classes.empty()) return trace->classes[arrived_ - 1];
  double left = classes_.uniform();
  std::uint32_t number = 0;
  while (number + 1 < classes.size() && left >= classes[number].share)
    left -= classes[number++].share;
  return number;
}

Duration TaskSource::patience(std::uint64_t row) {
  const auto& workload = scenario_.workload;
  const auto* trace = workload.trace.get();
  if (trace != nullptr && !trace->patience.empty()) return trace->patience[row];
  return workload.patience ? from_seconds(std::max(0.0, (*workload.patience)(patience_)))
                           : kForever;
}

Duration TaskSource::size(std::uint32_t task_class, random::Stream& stream) {
  const auto& workload = scenario_.workload;
  const random::Distribution* law = service_;
  if (!workload.classes.empty()) {
    if (const auto& own = workload.classes[task_class].service) law = &*own;
  }
  if (law == nullptr) return workload.trace->services[arrived_ - 1];
  return std::max(Duration::zero(), from_seconds((*law)(stream)));
}

TaskSource::Redrawn TaskSource::redraw(std::uint32_t task_class) {
  const auto drawn = size(task_class, redraws_);
  return {.size = drawn, .hint = hint(drawn, redraws_)};
}

Duration TaskSource::inexact_hint(Duration size, random::Stream& stream) {
  const auto* trace = scenario_.workload.trace.get();
  if (trace != nullptr && !trace->hints.empty()) return trace->hints[arrived_ - 1];
  return from_seconds(to_seconds(size) * error_(stream));
}

}  // namespace artel::fleet
