#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/detail/class_names.hpp"
#include "artel/logs/detail/log_time.hpp"
#include "artel/logs/detail/process_lives.hpp"
#include "artel/logs/detail/summer_time.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/random/stream.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {

/// Service time in seconds from the values of the fields whose role is `number`, in their order.
using Formula = std::function<double(std::span<const double>)>;

/// Turns the values of a line's fields into a task. Of the values nothing is kept but times and
/// numbers, and what names classes if that is asked for; names of workers become numbers, tasks of
/// events a hash.
///
/// Cost:    about 100 ns per line; memory for tasks that are not over, if the log is of events.
/// Threads: one at a time.
class TaskMaker {
 public:
  enum class Made : std::uint8_t {
    task,
    nothing,  ///< not about a task that ended
    bad,      ///< problem() says why
  };
  struct Problem {
    std::size_t field = 0;
    std::string what;
  };

  /// What it finds out besides is told to `reading`, which must outlive it.
  TaskMaker(const LogFormat& format, Formula formula, LogReading& reading);

  /// The fields whose values are asked for, in order: those of the format, then those of filters.
  [[nodiscard]] const std::vector<LogField>& fields() const { return fields_; }
  [[nodiscard]] std::vector<std::string_view> field_names() const;

  [[nodiscard]] Made make(std::span<const std::string_view> values, trace::TaskRecord& task);
  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// To be called behind the last line: tells `reading` what only all of them say.
  void finish();

 private:
  /// What is known of a task so far.
  struct Told {
    std::optional<Instant> submitted, started, finished;
    std::optional<Duration> before, wait, service, response, backend;
    bool drawn = false;  // a time known to the second
    bool zoneless = false;
    bool never_ran = false;
    std::optional<std::uint16_t> task_class;
  };

  Made refuse(std::size_t field, std::string_view found, std::string_view expected);
  [[nodiscard]] bool passes(std::span<const std::string_view> values) const;
  bool read_time(std::size_t field, std::string_view text, std::optional<Instant>& time,
                 Told& told);
  bool read_outcome(std::size_t field, std::string_view text, trace::TaskRecord& task);
  bool read_field(std::size_t field, std::string_view text, Told& told, trace::TaskRecord& task);
  void draw_within_second(Told& told);
  bool apply_formula(Told& told);
  [[nodiscard]] std::optional<std::uint16_t> class_of(std::span<const std::string_view> values);
  Made complete(const Told& told, trace::TaskRecord& task);
  Made classified(Made made, std::optional<std::uint16_t> task_class, trace::TaskRecord& task);
  Made join_events(std::span<const std::string_view> values, const Told& told,
                   trace::TaskRecord& task);
  void follow_summer_time(Told& told);
  void note_process(std::span<const std::string_view> values, Instant at);

  const LogFormat& format_;
  Formula formula_;
  LogReading& reading_;
  std::vector<LogField> fields_;
  std::size_t numbers_ = 0;  // fields for the formula
  std::vector<double> formula_values_;
  bool drawable_ = false;  // whole seconds are drawn from
  TimeReader times_;
  random::Stream dice_;
  Problem problem_;
  SummerTime summer_time_;  // of times without a zone
  std::unordered_map<std::string, std::uint32_t> workers_;
  ProcessLives processes_;
  std::vector<std::size_t> process_at_;  // of the fields: what names a process
  std::optional<std::size_t> class_at_;  // of the fields: what names the class
  ClassNames classes_;
  std::string class_room_;
  std::unordered_map<std::uint64_t, Told> open_;  // by the hash of the key
};

}  // namespace artel::logs::detail
