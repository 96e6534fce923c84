#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"

namespace artel::fleet::detail {

/// Measures the tasks of each class apart, as a Meter does those of all: what counts is the Meter's
/// to say.
///
/// Cost: a few ns per call; memory O(classes). Threads: one at a time.
class ClassMeter {
 public:
  /// What is of none of these is not measured.
  explicit ClassMeter(std::size_t classes) : classes_(classes) {}

  /// A task of that class came; it was refused (rejected()) or served (completed()).
  void arrived(std::uint32_t task_class, bool counted);
  void rejected(std::uint32_t task_class, bool counted);
  /// It went away unserved after so long.
  void gave_up(std::uint32_t task_class, Duration wait, bool counted);
  /// It completed after its deadline.
  void late(std::uint32_t task_class, bool counted);
  /// Its worker broke, or it was not answered in time.
  void lost(std::uint32_t task_class, bool counted);
  void completed(std::uint32_t task_class, Duration response, Duration wait, bool counted);

  /// [class]
  [[nodiscard]] std::vector<ClassSummary> result() const;
  /// [class]
  [[nodiscard]] std::vector<CountedTimes> times() const;

 private:
  struct OneClass {
    ClassSummary counts;
    CountedTimes times;
  };
  [[nodiscard]] OneClass* measured(std::uint32_t task_class, bool counted) {
    return counted && task_class < classes_.size() ? &classes_[task_class] : nullptr;
  }

  std::vector<OneClass> classes_;
};

}  // namespace artel::fleet::detail
