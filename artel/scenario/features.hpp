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
  slots,            ///< of workers: they serve several tasks at a time …
  discipline,       ///< … not in order of arrival …
  batch,            ///< … or together
  cache,            ///< they remember what tasks begin with
  failures,         ///< they break
  start_up,         ///< they start up after idleness
  slow_start,       ///< and are slow then
  speed_states,     ///< they become slower and faster by chance …
  speed_timetable,  ///< … or by the clock
  admission,        ///< of the pool: tasks are turned away though there is room
  ejection,         ///< workers that fail are left out
  scaling,          ///< another number of workers
  stages,           ///< tasks go on to other pools
  patience,         ///< of those who send tasks: they do not wait for ever
  callers,          ///< they do more than send each task once
  closed_arrivals,  ///< they wait for an answer before they ask again
  classes,          ///< tasks are of several kinds
  deadline,         ///< or have to end in time
  fork,             ///< what a plain pool may have: a task is several parts
  network_delay,    ///< it takes time to its worker
  views,            ///< several dispatchers, or old loads, or a view of their own
  take_over,        ///< of its threads: those that are idle take what waits elsewhere …
  stealing,         ///< … or as artel's pool does
  wake_up,          ///< they take time to wake up
  task_overhead,    ///< and between two tasks
};

/// A set of features. Cost: that of a number. Threads: as of one.
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

  /// Whether it is one of them.
  [[nodiscard]] constexpr bool has(Feature feature) const { return (bits_ & bit(feature)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  /// One more.
  constexpr void add(Feature feature) { bits_ |= bit(feature); }
  /// Those that are in both.
  [[nodiscard]] constexpr Features among(Features others) const {
    Features features;
    features.bits_ = bits_ & others.bits_;
    return features;
  }
  /// Those that are not in the other one.
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
/// Those that a pool may have and be plain.
inline constexpr Features kPlainFeatures = Features::from_to(Feature::fork, Feature::task_overhead);

/// What the scenario has.
///
/// Whoever asks whether a scenario is plain, or simple enough for what he does, asks here; so a
/// feature that is new is in one table. Cost: O(1).
[[nodiscard]] Features features_of(const Scenario& scenario);
/// What the workers have, of kWorkerFeatures.
[[nodiscard]] Features features_of(const WorkerSettings& worker);
/// As many workers all the time, that serve one task at a time in order of arrival, always up and
/// as fast; tasks of one kind that nobody turns away while there is room; callers who send each
/// once, when its time comes, and wait.
[[nodiscard]] inline bool is_plain(const Scenario& scenario) {
  return features_of(scenario).without(kPlainFeatures).empty();
}
/// A plain pool, or one of artel's own threads (pool.stealing) with what these have besides: three
/// priorities, tasks that expire, another size by the clock.
[[nodiscard]] bool is_of_threads(const Scenario& scenario);
/// The key that asks for the first feature of the set: "pool.slots". Requires: there is one.
[[nodiscard]] std::string_view key_of_first(Features features);

}  // namespace artel::scenario
