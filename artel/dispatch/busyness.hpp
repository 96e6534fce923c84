#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// What makes a worker busy.
enum class Measure : std::uint8_t {
  queued,     ///< unfinished tasks
  occupancy,  ///< queued / capacity (without bounds: the same order as queued)
  weighted,   ///< queued / weight
  work,       ///< hinted service outstanding, in seconds
  delay,      ///< measured queue delay, in seconds
  custom,     ///< the user's function
};

/// The number by which workers are compared: less is less busy. Pluggable, as in the TaskManager
/// model.
///
/// Cost:    a few ns; the user's function is called through std::function.
/// Threads: const and free of state, if the user's function is.
class Busyness {
 public:
  using Function = std::function<double(const Load&)>;
  /// What any measure reads.
  static constexpr PolicyInputs kReads{PolicyInput::weight, PolicyInput::work, PolicyInput::delay};

  Busyness() = default;
  /* implicit */ Busyness(Measure measure);  ///< any but `custom`
  /// The user's own measure: of queued, capacity, weight and delay alone (work changes as time goes
  /// by: use Measure::work), never NaN.
  explicit Busyness(Function function);

  /// What is compared; Measure::custom: a function of the user's.
  [[nodiscard]] Measure measure() const { return measure_; }

  [[nodiscard]] double operator()(const Load& load) const {
    switch (measure_) {
      case Measure::queued:
        return load.queued;
      case Measure::occupancy:
        return static_cast<double>(load.queued) / load.capacity;
      case Measure::weighted:
        return static_cast<double>(load.queued) / load.weight;
      case Measure::work:
        return to_seconds(load.work);
      case Measure::delay:
        return to_seconds(load.delay);
      case Measure::custom:
        return custom(load);
    }
    return 0;
  }

 private:
  [[nodiscard]] double custom(const Load& load) const;

  Measure measure_ = Measure::queued;
  Function function_;
};

/// "queued", "occupancy", …: the name in scenario files.
[[nodiscard]] std::string_view name(Measure measure);

/// Names of the measures that can be asked for by name (all but `custom`), in the order of the
/// enum.
[[nodiscard]] std::span<const std::string_view> measure_names();
[[nodiscard]] std::optional<Measure> find_measure(std::string_view name);

}  // namespace artel::dispatch
