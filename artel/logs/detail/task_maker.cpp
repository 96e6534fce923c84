#include "artel/logs/detail/task_maker.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/logs/detail/class_names.hpp"
#include "artel/logs/detail/log_time.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {
namespace {

constexpr std::size_t kShown = 40;            // characters of what was found
constexpr std::size_t kOpenMax = 10'000'000;  // tasks of events that are not over
constexpr std::size_t kWorkersMax = 100'000;  // as in scenarios

// What programs write where there is no time.
bool is_absent(std::string_view text) {
  return text.empty() || text == "-" || text == "null" || text == "Unknown" || text == "None";
}

// Whether `text` is one of the words with | between.
bool is_among(std::string_view text, std::string_view words) {
  for (;;) {
    const auto bar = words.find('|');
    if (text == words.substr(0, bar)) return true;
    if (bar == std::string_view::npos) return false;
    words.remove_prefix(bar + 1);
  }
}

}  // namespace

TaskMaker::TaskMaker(const LogFormat& format, Formula formula, LogReading& reading)
    : format_(format),
      formula_(std::move(formula)),
      reading_(reading),
      fields_(format.fields),
      dice_(Seed{1}, "within a second") {
  for (const auto& filter : format.filters) {
    if (std::ranges::find(fields_, filter.field, &LogField::name) == fields_.end())
      fields_.push_back({filter.field, Role::key});
  }
  if (const auto name = format.class_field.name; !name.empty()) {
    const auto at = std::ranges::find(fields_, name, &LogField::name);
    class_at_ = static_cast<std::size_t>(at - fields_.begin());
    if (at == fields_.end()) fields_.push_back({name, Role::key});
  }
  for (const auto& field : fields_) {
    if (field.role == Role::number) ++numbers_;
    if (field.role == Role::process)
      process_at_.push_back(static_cast<std::size_t>(&field - fields_.data()));
    // Where a length is finer than the time beside it, the second is a limit of the writing.
    drawable_ = drawable_ || field.role == Role::response || field.role == Role::backend;
  }
  drawable_ = drawable_ || format.knows == Knowledge::services;
  formula_values_.reserve(numbers_);
}

std::vector<std::string_view> TaskMaker::field_names() const {
  std::vector<std::string_view> names;
  for (const LogField& field : fields_) names.push_back(field.name);
  return names;
}

TaskMaker::Made TaskMaker::refuse(std::size_t field, std::string_view found,
                                  std::string_view expected) {
  problem_ = {field, fmt::format("'{}': found '{}'; expected {}", fields_[field].name,
                                 found.substr(0, kShown), expected)};
  return Made::bad;
}

bool TaskMaker::passes(std::span<const std::string_view> values) const {
  return std::ranges::all_of(format_.filters, [&](const LogFilter& filter) {
    const auto field = std::ranges::find(fields_, filter.field, &LogField::name);
    const auto value = values[static_cast<std::size_t>(field - fields_.begin())];
    if (filter.values == "!.") return value.find('.') == std::string_view::npos;
    return is_among(value, filter.values);
  });
}

// Lines are written when a request is over: of them the ends ascend.
void TaskMaker::follow_summer_time(Told& told) {
  if (!told.zoneless) return;
  reading_.zoneless = true;
  const auto begin = told.submitted ? told.submitted : told.finished;
  if (format_.shape != LogShape::pattern || !begin) return;  // the others are in no order of time
  const auto length = told.response.value_or(told.backend.value_or(Duration{}));
  const auto shift = summer_time_.shift_of(*begin, told.finished.value_or(later(*begin, length)));
  for (auto* const time : {&told.submitted, &told.started, &told.finished}) {
    if (*time) **time += shift;
  }
  reading_.clock_changes = summer_time_.ended;
  reading_.clock_jumps = summer_time_.begun;
}

bool TaskMaker::read_time(std::size_t field, std::string_view text, std::optional<Instant>& time,
                          Told& told) {
  if (is_absent(text)) return true;
  const auto read = times_.read(text, fields_[field].form);
  if (!read || read->since_1970 > trace::TaskRecord::kTimeMax ||
      read->since_1970 < -trace::TaskRecord::kTimeMax) {
    refuse(field, text,
           "a time like 10/Oct/2026:13:55:36 +0200, 2026-10-10T13:55:36.25Z, or a "
           "number of seconds since 1970");
    return false;
  }
  if (time && read->whole_s) return true;  // another field knows it better, or as well
  told.drawn = read->whole_s || (told.drawn && !time);
  told.zoneless = told.zoneless || !read->has_zone;
  time = Instant{read->since_1970};
  return true;
}

bool TaskMaker::read_outcome(std::size_t field, std::string_view text, trace::TaskRecord& task) {
  using trace::TaskOutcome;
  switch (fields_[field].form) {
    case FieldForm::http_status: {
      constexpr int kServerError = 500;
      const auto status = parse_number<int>(text);
      if (!status && !is_absent(text)) {
        refuse(field, text, "a status like 200");
        return false;
      }
      if (status.value_or(0) >= kServerError) task.outcome = TaskOutcome::failed;
      return true;
    }
    case FieldForm::job_state:  // "CANCELLED by 1000"
      text = text.substr(0, text.find(' '));
      if (!is_among(text, "COMPLETED|success|neutral|done")) task.outcome = TaskOutcome::failed;
      return true;
    default:
      if (const auto outcome = trace::find_task_outcome(text)) {
        task.outcome = *outcome;
        return true;
      }
      if (is_absent(text)) return true;
      refuse(field, text, "done, failed, cancelled, expired or rejected");
      return false;
  }
}

bool TaskMaker::read_field(std::size_t field, std::string_view text, Told& told,
                           trace::TaskRecord& task) {
  const auto add = [&](std::optional<Duration>& sum) {
    if (is_absent(text)) return true;
    const auto [length, bad] = read_length(text, fields_[field].form);
    if (bad) {
      refuse(field, text, "a length of time");
      return false;
    }
    if (length) sum = sum.value_or(Duration{}) + *length;
    return true;
  };
  switch (fields_[field].role) {
    case Role::submitted:
      return read_time(field, text, told.submitted, told);
    case Role::started:
      return read_time(field, text, told.started, told);
    case Role::finished:
      return read_time(field, text, told.finished, told);
    case Role::before:
      return add(told.before);
    case Role::wait:
      if (text.starts_with('-')) told.never_ran = true;  // given up before that
      return add(told.wait);
    case Role::service:
      return add(told.service);
    case Role::response:
      return add(told.response);
    case Role::backend:
      return add(told.backend);
    case Role::size: {
      std::optional<Duration> size;
      if (!add(size)) return false;
      task.size = size.value_or(Duration{});
      return true;
    }
    case Role::worker: {
      if (is_absent(text)) return true;
      if (workers_.size() >= kWorkersMax && !workers_.contains(std::string(text))) return true;
      const auto number = static_cast<std::uint32_t>(workers_.size());
      const auto [entry, added] = workers_.try_emplace(std::string(text), number);
      if (added) reading_.workers.push_back(std::hash<std::string_view>{}(text));
      task.worker = WorkerId{entry->second};
      return true;
    }
    case Role::outcome:
      return read_outcome(field, text, task);
    case Role::number: {
      const auto number = parse_number<double>(text);
      if (!number || !std::isfinite(*number)) {
        refuse(field, text, "a number");
        return false;
      }
      formula_values_.push_back(*number);
      return true;
    }
    case Role::event:
    case Role::process:
    case Role::key:
      return true;
  }
  return true;
}

// A time known to the second may be any in it.
void TaskMaker::draw_within_second(Told& told) {
  if (!drawable_ || !told.drawn) return;
  reading_.whole_seconds = true;
  const auto later = from_seconds(dice_.uniform());
  if (told.submitted) *told.submitted += later;
  if (told.finished) *told.finished += later;
}

bool TaskMaker::apply_formula(Told& told) {
  constexpr double kSecondsMax = 1e9;  // 31 years
  if (!formula_) return true;
  const double seconds = formula_(formula_values_);
  if (!(seconds >= 0 && seconds <= kSecondsMax)) {
    problem_ = {0, fmt::format("the service time is {} s; expected 0 to {}", seconds, kSecondsMax)};
    return false;
  }
  told.service = from_seconds(seconds);
  told.response.reset();
  told.backend.reset();
  return true;
}

void TaskMaker::note_process(std::span<const std::string_view> values, Instant at) {
  std::uint64_t hash = 0;
  for (const auto i : process_at_) {
    if (!is_absent(values[i])) hash = hash * 31 + std::hash<std::string_view>{}(values[i]);
  }
  if (hash != 0) processes_.seen(hash, at);
}

void TaskMaker::finish() {
  const auto [began, ended] = processes_.changes();
  reading_.began = began;
  reading_.ended = ended;
}

// Nothing: nobody asked, or it is not said here.
std::optional<std::uint16_t> TaskMaker::class_of(std::span<const std::string_view> values) {
  if (!class_at_) return std::nullopt;
  const auto text =
      file::trimmed(class_part(values[*class_at_], format_.class_field.part, class_room_));
  if (is_absent(text)) return std::nullopt;
  return classes_.number(text, reading_.classes);
}

TaskMaker::Made TaskMaker::complete(const Told& told, trace::TaskRecord& task) {
  const auto before = told.before.value_or(Duration{});
  auto submitted = told.submitted;
  auto finished = told.finished;
  if (!submitted && finished && told.response) submitted = *finished - *told.response;
  if (!submitted && finished && told.backend) submitted = *finished - *told.backend;
  if (!submitted && finished && told.service) submitted = *finished - *told.service;
  if (!submitted) submitted = told.started;
  if (!submitted && formula_ && finished) submitted = finished;  // no length: when it was written
  const bool tells_starts =
      format_.events.empty() &&
      std::ranges::find(fields_, Role::started, &LogField::role) != fields_.end();
  if (!submitted || told.never_ran || (tells_starts && !told.started))
    return Made::nothing;  // it never ran
  task.submitted = task.bound = *submitted + before;
  // Before a proxy's own length ends, the answer travels to the client: not the workers' time.
  if (told.backend) {
    finished = task.submitted + *told.backend;
  } else if (told.response && !told.finished) {
    finished = *submitted + *told.response;
  }
  task.started = told.started.value_or(task.submitted + told.wait.value_or(Duration{}));
  if (told.service && (formula_ || !finished)) finished = task.started + *told.service;
  if (!finished) return Made::nothing;
  task.finished = *finished;
  if (!plausible(task)) {
    problem_ = {0, "the times go backwards, or are beyond 1897 to 2043"};
    return Made::bad;
  }
  return Made::task;
}

TaskMaker::Made TaskMaker::classified(Made made, std::optional<std::uint16_t> task_class,
                                      trace::TaskRecord& task) {
  if (made != Made::task || !class_at_) return made;
  task.task_class = task_class ? *task_class : classes_.number({}, reading_.classes);
  return made;
}

TaskMaker::Made TaskMaker::join_events(std::span<const std::string_view> values, const Told& told,
                                       trace::TaskRecord& task) {
  std::string_view word, key, document;
  for (std::size_t i = 0; i < format_.fields.size(); ++i) {
    if (fields_[i].role == Role::event) word = values[i];
    if (fields_[i].role != Role::key || values[i].empty()) continue;
    (fields_[i].name == kDocument ? document : key) = values[i];
  }
  const auto event = std::ranges::find(format_.events, word, &EventWord::word);
  if (event == format_.events.end() || !told.submitted) return Made::nothing;
  auto hash = static_cast<std::uint64_t>(std::hash<std::string_view>{}(key));
  if (!document.empty()) hash = hash * 31 + std::hash<std::string_view>{}(document);
  const auto open = open_.find(hash);
  if (event->time != Role::finished) {
    if (open == open_.end() && open_.size() >= kOpenMax) return Made::nothing;
    auto& so_far = open_[hash];
    if (!so_far.task_class) so_far.task_class = class_of(values);  // not each of them says it
    if (event->time == Role::started) so_far.started = told.submitted;
    // Who sends a task and who receives it both say so, in any order: it came by the first of them.
    if (event->time == Role::submitted)
      so_far.submitted = std::min(so_far.submitted.value_or(*told.submitted), *told.submitted);
    return Made::nothing;
  }
  if (open == open_.end()) return Made::nothing;  // began before the log did
  auto whole = open->second;
  open_.erase(open);
  if (!whole.started || !whole.submitted) return Made::nothing;
  whole.submitted = std::min(*whole.submitted, *whole.started);  // clocks of two machines
  whole.finished = told.submitted;
  task.outcome = event->failed ? trace::TaskOutcome::failed : trace::TaskOutcome::done;
  if (!whole.task_class) whole.task_class = class_of(values);
  return classified(complete(whole, task), whole.task_class, task);
}

TaskMaker::Made TaskMaker::make(std::span<const std::string_view> values, trace::TaskRecord& task) {
  if (!passes(values)) return Made::nothing;
  task = {};
  Told told;
  formula_values_.clear();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (!read_field(i, values[i], told, task)) return Made::bad;
  }
  const auto& seen = told.finished ? told.finished : told.submitted;
  if (!process_at_.empty() && seen) note_process(values, *seen);
  if (!format_.events.empty()) return join_events(values, told, task);
  follow_summer_time(told);
  draw_within_second(told);
  if (!apply_formula(told)) return Made::bad;
  const auto made = complete(told, task);
  return classified(made, made == Made::task ? class_of(values) : std::nullopt, task);
}

}  // namespace artel::logs::detail
