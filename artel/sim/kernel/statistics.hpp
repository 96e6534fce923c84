#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/stat/moments.hpp"
#include "artel/stat/time_average.hpp"

namespace artel::sim {

class Resource;

/// Numbers seen one at a time: waiting times, sizes. Durations count in seconds.
class Tally {
 public:
  void add(double value) { moments_.add(value); }
  void add(Duration duration) { add(to_seconds(duration)); }

  /// Count, mean, variance and extremes.
  [[nodiscard]] const stat::Moments& moments() const { return moments_; }
  void reset() { moments_ = {}; }

 private:
  stat::Moments moments_;
};

/// A value that changes in steps, weighted by time: the length of a queue, units in use.
class Level {
 public:
  explicit Level(const Context& clock) : clock_(&clock), average_(clock.now()) {}

  void set(double value) { average_.set(clock_->now(), value); }
  void add(double delta) { average_.add(clock_->now(), delta); }

  [[nodiscard]] double value() const { return average_.value(); }
  /// From the start, or the last reset, to now.
  [[nodiscard]] double mean() const { return average_.mean(clock_->now()); }
  [[nodiscard]] double max() const { return average_.max(); }
  void reset() { average_.reset(clock_->now()); }

 private:
  const Context* clock_;
  stat::TimeAverage average_;
};

/// What a Resource tells Statistics of itself.
struct Usage {
  Level* utilisation;  ///< units in use, of all
  Level* queue;        ///< requests that wait
  Tally* wait;         ///< of each request, until it was granted
};

/// The figures of a simulation by name, kept without code in the model.
///
///     sim::Statistics statistics(context);
///     statistics.watch("cores", cores);           // cores.utilisation, cores.queue, cores.wait
///     sim::Tally& latency = statistics.tally("latency");
///     simulation.run_until(warm_up_end);
///     statistics.reset();
///     simulation.run_until(end);
///     fmt::print("{}", statistics.table());
///
/// Requires: `clock` outlives it, and it outlives the run of what it watches. Cost: for what is not
/// watched one test of a pointer; else a few additions for each change.
class Statistics {
 public:
  explicit Statistics(const Context& clock) : clock_(&clock) {}
  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;

  /// The one of that name, made at first use. Requires, for both: no other kind has that name.
  Tally& tally(std::string_view name);
  Level& level(std::string_view name);

  void watch(std::string_view name, Resource& resource);

  /// The end of the warm-up: forgets all but the present values.
  void reset();
  /// A line for each, in order of their names: what it is, count or value, mean, max.
  [[nodiscard]] std::string table() const;

 private:
  const Context* clock_;
  std::map<std::string, std::variant<Tally, Level>, std::less<>> figures_;
  std::deque<Usage> usages_;
};

}  // namespace artel::sim
