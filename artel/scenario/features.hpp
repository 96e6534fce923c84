#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::scenario {

/// What a scenario may have beside tasks of one kind, queues, a policy, and workers that serve one
/// task at a time in order of arrival.
enum class Feature : std::uint8_t {
  // Of workers.
  slots,
  discipline,
  batch,
  cache,
  failures,
  start_up,
  slow_start,
  speed_states,
  speed_timetable,
  // Of the pool, of those who send tasks, and of tasks.
  admission,
  ejection,
  scaling,
  stages,
  patience,
  callers,
  closed_arrivals,
  classes,
  deadline,
  // Of any pool that is plain otherwise: of its dispatchers, …
  fork,
  network_delay,
  views,  ///< several dispatchers, or old loads, or a view of their own
  // … and of its threads.
  take_over,
  stealing,
  wake_up,
  task_overhead,
};

/// A set of features.
class Features {
 public:
  static constexpr std::size_t kCount = 25;  ///< how many there are

  constexpr Features() = default;
  constexpr explicit Features(std::same_as<Feature> auto... each) : bits_((0U | ... | bit(each))) {}
  /// Those from the first to the last.
  [[nodiscard]] static constexpr Features from_to(Feature first, Feature last) {
    Features features;
    features.bits_ = (bit(last) | (bit(last) - 1)) & ~(bit(first) - 1);
    return features;
  }

  [[nodiscard]] constexpr bool has(Feature feature) const { return (bits_ & bit(feature)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  constexpr void add(Feature feature) { bits_ |= bit(feature); }
  /// Those that are in both.
  [[nodiscard]] constexpr Features among(Features others) const {
    Features features;
    features.bits_ = bits_ & others.bits_;
    return features;
  }
  [[nodiscard]] constexpr Features without(Features others) const {
    Features features;
    features.bits_ = bits_ & ~others.bits_;
    return features;
  }
  friend constexpr bool operator==(Features, Features) = default;

 private:
  [[nodiscard]] static constexpr std::uint32_t bit(Feature feature) {
    return std::uint32_t{1} << static_cast<unsigned>(feature);
  }

  std::uint32_t bits_ = 0;
};

/// Those of workers alone.
inline constexpr Features kWorkerFeatures =
    Features::from_to(Feature::slots, Feature::speed_timetable);
/// Those that a pool may have and be plain (Scenario::plain()).
inline constexpr Features kPlainFeatures = Features::from_to(Feature::fork, Feature::task_overhead);

/// What the scenario has.
///
/// Whoever asks whether a scenario is plain, or simple enough for what he does, asks here; so a
/// feature that is new is in one table. Cost: O(1).
[[nodiscard]] Features features_of(const Scenario& scenario);
/// What the workers have, of kWorkerFeatures.
[[nodiscard]] Features features_of(const WorkerSettings& worker);
/// The key that asks for the first feature of the set: "pool.slots". Requires: there is one.
[[nodiscard]] std::string_view key_of_first(Features features);

}  // namespace artel::scenario
