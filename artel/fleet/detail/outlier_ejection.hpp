#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/scenario/admission_settings.hpp"

namespace artel::fleet::detail {

/// Which workers are left out since they fail: after so many failures in a row, for longer each
/// time, and never too many at once.
///
/// Cost: O(1). Source: Envoy's outlier detection (consecutive failures, base ejection time, maximum
/// ejection percentage).
class OutlierEjection {
 public:
  explicit OutlierEjection(const scenario::EjectionSettings& settings) : settings_(settings) {}

  void succeeded(WorkerId worker) { at(worker).failures = 0; }
  /// For how long the worker is to be left out from now on; nothing: it is not. `workers`: that
  /// there are.
  [[nodiscard]] std::optional<Duration> failed(WorkerId worker, std::size_t workers) {
    auto& one = at(worker);
    if (one.ejected || ++one.failures < settings_.failures) return std::nullopt;
    if (ejected_ >= settings_.most_left_out(workers)) return std::nullopt;
    one.ejected = true;
    one.failures = 0;
    ++ejected_;
    return settings_.time * ++one.times;
  }
  void returned(WorkerId worker) {
    at(worker).ejected = false;
    --ejected_;
  }

 private:
  struct OneWorker {
    std::uint32_t failures = 0;  // in a row
    std::uint32_t times = 0;     // ejected
    bool ejected = false;
  };
  OneWorker& at(WorkerId worker) {
    if (workers_.size() <= index(worker)) workers_.resize(index(worker) + 1);
    return workers_[index(worker)];
  }

  scenario::EjectionSettings settings_;
  std::vector<OneWorker> workers_;
  std::size_t ejected_ = 0;
};

}  // namespace artel::fleet::detail
