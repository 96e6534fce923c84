#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/usage.hpp"
#include "artel/stat/moments.hpp"
#include "artel/stat/time_average.hpp"

namespace artel::sim {

/// Numbers one at a time: waiting times, sizes. Durations in seconds. Threads: its simulation's.
/// Cost: O(1).
class Tally {
 public:
  /// Takes in one more.
  void add(double value) { moments_.add(value); }
  void add(Duration duration) { add(to_seconds(duration)); }

  /// Count, mean, variance and extremes.
  [[nodiscard]] const stat::Moments& moments() const { return moments_; }
  void reset() { moments_ = {}; }

 private:
  stat::Moments moments_;
};

/// Changes in steps, weighted by time: a queue's length, units in use. Threads: its simulation's.
/// Cost: O(1).
class Level {
 public:
  explicit Level(const Context& clock) : clock_(&clock), average_(clock.now()) {}

  /// The value changes now, to `value` (set) or by `delta` (add()).
  void set(double value) { average_.set(clock_->now(), value); }
  void add(double delta) { average_.add(clock_->now(), delta); }

  /// The value now.
  [[nodiscard]] double value() const { return average_.value(); }
  /// From the start, or the last reset, to now.
  [[nodiscard]] double mean() const { return average_.mean(clock_->now()); }
  [[nodiscard]] double max() const { return average_.max(); }
  void reset() { average_.reset(clock_->now()); }

 private:
  const Context* clock_;
  stat::TimeAverage average_;
};

/// One figure, as it stands.
struct FigureValue {
  std::string name;
  std::optional<std::uint64_t> count;  ///< of a Tally
  double mean = 0;                     ///< NaN of no number
  double max = 0;                      ///< -infinity of no number
};

/// What the three figures of a Usage are called: its utilisation, queue and wait.
struct UsageNames {
  std::string_view utilisation = "utilisation";
  std::string_view queue = "queue";
  std::string_view wait = "wait";
};

/// The figures of a simulation by name, kept without code in the model.
///
///     sim::Statistics statistics(context);
///     statistics.watch("cores", cores);           // cores.utilisation, cores.queue, cores.wait
///     statistics.watch("disk", disk);             // disk.read.utilisation, …
///     sim::Tally& latency = statistics.tally("latency");
///     simulation.run_until(warm_up_end);
///     statistics.reset();
///     simulation.run_until(end);
///     fmt::print("{}", statistics.table());
///
/// When it ends, what it watches is watched no more. Requires: `clock` outlives it.
/// Cost: not watched: a test of a pointer; else a few additions. Threads: its simulation's.
class Statistics {
 public:
  explicit Statistics(const Context& clock) : clock_(&clock) {}
  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;
  ~Statistics();

  /// The one of that name, made at first use. Requires, for tally() and level(): no other kind has
  /// that name.
  Tally& tally(std::string_view name);
  Level& level(std::string_view name);

  /// Has it tell of itself from now on; which figures, its measure() says. A Resource, a Channel, a
  /// Disk, a Compute, a Network, or something of the model's own.
  template <class Thing>
  void watch(std::string_view name, Thing& thing) {
    if constexpr (requires { thing.measure(std::shared_ptr<Usage>()); }) {
      thing.measure(usage(name));
    } else {
      thing.measure(*this, name);
    }
  }
  /// The figures name.utilisation, name.queue and name.wait, or as `names` says.
  [[nodiscard]] std::shared_ptr<Usage> usage(std::string_view name, const UsageNames& names = {});

  /// The end of the warm-up: forgets all but the present values.
  void reset();
  /// All of them, in order of their names.
  [[nodiscard]] std::vector<FigureValue> figures() const;
  /// A line for each, in order of their names: what it is, count or value, mean, max.
  [[nodiscard]] std::string table() const;

 private:
  const Context* clock_;
  std::map<std::string, std::variant<Tally, Level>, std::less<>> figures_;
  std::vector<std::shared_ptr<Usage>> usages_;
};

}  // namespace artel::sim
