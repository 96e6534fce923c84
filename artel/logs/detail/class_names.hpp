#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {

/// What a value says of a task's class; it may be a part of `value`, or of `room`.
[[nodiscard]] std::string_view class_part(std::string_view value, ClassPart part,
                                          std::string& room);

/// Numbers for the names of classes, in order of appearance.
///
/// Cost: about 30 ns per task; memory for 65 535 names at most; what comes then is one class.
class ClassNames {
 public:
  /// The number of a value: its place in `classes`, which is always the same list.
  [[nodiscard]] std::uint16_t number(std::string_view value, std::vector<ClassCount>& classes);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint16_t, Hash, std::equal_to<>> numbers_;
};

/// Which classes keep their names, of one log or of several: those that most tasks are of, as many
/// as a trace may have; the others are one.
class KeptClasses {
 public:
  /// The classes of a further log.
  void add(const std::vector<ClassCount>& classes);
  /// To be called once, behind the last add(): what the reading says of classes from then on.
  void settle(LogReading& reading);
  /// The number in the trace of a task of that log, in order of add().
  [[nodiscard]] std::uint16_t of(std::size_t log, std::uint16_t number) const {
    return number < numbers_[log].size() ? kept_[numbers_[log][number]] : 0;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<ClassCount> all_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // [log][its number]: place in `all_`
  std::vector<std::uint16_t> kept_;                  // [place in `all_`]
};

}  // namespace artel::logs::detail
