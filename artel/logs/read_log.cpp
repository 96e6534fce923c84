#include "artel/logs/read_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/detail/byte_source.hpp"
#include "artel/logs/detail/chosen_format.hpp"
#include "artel/logs/detail/json_objects.hpp"
#include "artel/logs/detail/line_pattern.hpp"
#include "artel/logs/detail/separated_line.hpp"
#include "artel/logs/detail/stopped.hpp"
#include "artel/logs/detail/task_maker.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {
namespace {

using detail::TaskMaker;
using TaskSink = std::function<void(const trace::TaskRecord&, const LogReading&)>;

/// Goes through one log.
class LogReader {
 public:
  LogReader(detail::ByteSource& source, const std::string& name, const LogFormat& format,
            const LogOptions& options, const TaskSink& sink)
      : source_(source),
        name_(name),
        format_(format),
        strict_(options.strict),
        filtered_(!options.where.empty()),
        class_by_(options.class_by),
        sink_(sink),
        maker_(format, options.service ? options.service->seconds : detail::Formula{}, reading_),
        values_(maker_.fields().size()) {}

  Result<LogReading> read() {
    reading_.name = name_;
    reading_.title = format_.title;
    reading_.knows = format_.knows;
    reading_.remark = format_.remark;
    reading_.filtered = filtered_;
    reading_.class_by = class_by_;
    for (const auto& field : maker_.fields()) {
      if (field.role != Role::key && field.role != Role::event && field.role != Role::process)
        reading_.fields.emplace_back(field.name);
    }
    const auto ready = format_.shape == LogShape::pattern     ? read_patterns()
                       : format_.shape == LogShape::separated ? read_separated()
                                                              : read_json();
    if (!ready) return fail(ready);
    maker_.finish();
    if (strict_ && reading_.first_bad) return tl::unexpected<Error>(*reading_.first_bad);
    if (source_.too_long()) {
      return fail(ErrorCode::too_large,
                  fmt::format("the line is longer than {} bytes", source_.kLineBytesMax),
                  fmt::format("{}:{}", name_, source_.line_number() + 1));
    }
    if (reading_.first_bad && reading_.bad > reading_.tasks + reading_.passed_over) {
      auto error = *reading_.first_bad;
      error.what = fmt::format("{} of {} lines are not what a {} has; the first: {}", reading_.bad,
                               reading_.bad + reading_.tasks + reading_.passed_over, format_.title,
                               error.what);
      return tl::unexpected<Error>(std::move(error));
    }
    return std::move(reading_);
  }

 private:
  // Whether to go on.
  bool note_bad(std::uint64_t line, std::size_t column, std::string what) {
    ++reading_.bad;
    if (!reading_.first_bad) {
      reading_.first_bad = Error{ErrorCode::parse, std::move(what),
                                 fmt::format("{}:{}:{}", name_, line, column + 1)};
    }
    return !strict_;
  }

  // `text`: the line, whose parts the values are.
  bool take(std::span<const std::string_view> values, std::string_view text, std::uint64_t line) {
    trace::TaskRecord task;
    switch (maker_.make(values, task)) {
      case TaskMaker::Made::task:
        ++reading_.tasks;
        if (!reading_.classes.empty()) ++reading_.classes[task.task_class].tasks;
        reading_.earliest = std::min(reading_.earliest, task.submitted);
        reading_.latest = std::max(reading_.latest, task.submitted);
        reading_.arrivals.add(task.submitted);
        sink_(task, reading_);
        return true;
      case TaskMaker::Made::nothing:
        ++reading_.passed_over;
        return true;
      case TaskMaker::Made::bad:
        break;
    }
    const auto& problem = maker_.problem();
    std::size_t column = 0;
    if (problem.field < values.size()) {
      const auto value = values[problem.field];
      const std::less_equal<> at_or_before;
      if (at_or_before(text.data(), value.data()) &&
          at_or_before(value.data(), text.data() + text.size())) {
        column = static_cast<std::size_t>(value.data() - text.data());
      }
    }
    return note_bad(line, column, problem.what);
  }

  template <class Cutter>
  void read_lines(Cutter& cutter) {
    while (const auto text = source_.line()) {
      if (text->empty() || is_comment(*text)) continue;
      std::size_t stopped = 0;
      std::ranges::fill(values_, std::string_view{});
      if (cutter.match(*text, values_, stopped)) {
        if (!take(values_, *text, source_.line_number())) return;
        continue;
      }
      if (!format_.ignored.empty() && text->ends_with(format_.ignored)) {
        ++reading_.passed_over;
        continue;
      }
      constexpr std::size_t kShown = 40;
      const auto rest = text->substr(std::min(stopped, text->size()));
      if (!note_bad(source_.line_number(), stopped,
                    fmt::format("found '{}'; expected a line of a {}", rest.substr(0, kShown),
                                format_.title)))
        return;
    }
  }

  [[nodiscard]] bool is_comment(std::string_view line) const {
    return format_.shape == LogShape::separated && (line.front() == ';' || line.front() == '#');
  }

  Result<void> read_patterns() {
    const detail::LinePattern pattern(format_.layout, maker_.field_names());
    read_lines(pattern);
    return {};
  }

  Result<void> read_separated() {
    detail::SeparatedLine line(format_.layout);
    if (line.needs_header()) {
      const auto header = source_.line();
      if (!header) return fail(ErrorCode::parse, "the log is empty", name_);
      line.read_header(*header);
    }
    if (auto chosen = line.choose(maker_.fields()); !chosen) {
      chosen.error().where = name_ + ":1";
      return chosen;
    }
    read_lines(line);
    return {};
  }

  // One document per line, or one over all of them.
  Result<void> read_json() {
    bool go_on = true;
    std::uint64_t line = 1;
    detail::JsonObjects objects(
        format_.layout, maker_.fields(),
        [&](std::span<const std::string_view> values) { go_on = go_on && take(values, {}, line); });
    std::size_t stopped = 0;
    if (!detail::is_line_of_json(source_.peek(kTellingBytes))) {
      if (!objects.read(source_, stopped))
        note_bad(1, stopped, "this is not JSON, or it is cut off here");
      return {};
    }
    while (const auto text = source_.line()) {
      if (text->empty()) continue;
      line = source_.line_number();
      if (!objects.read(*text, stopped) && !note_bad(line, stopped, "this is not JSON")) break;
      if (!go_on) break;
    }
    return {};
  }

  detail::ByteSource& source_;
  const std::string& name_;
  const LogFormat& format_;
  bool strict_;
  bool filtered_;
  const std::string& class_by_;
  const TaskSink& sink_;
  LogReading reading_;
  TaskMaker maker_;
  std::vector<std::string_view> values_;
};

}  // namespace

const LogFormat* recognise_log(std::string_view start) {
  return detail::recognised_format(start.substr(0, kTellingBytes));
}

Result<LogReading> follow_log(std::istream& in, const std::string& name, const LogOptions& options,
                              const TaskSink& sink) {
  detail::ByteSource source(in, options.stop);
  auto format = detail::chosen_format(source.peek(kTellingBytes), options);
  if (options.stop.stop_requested()) return tl::unexpected<Error>(detail::stopped(name));
  if (!format) {
    if (format.error().where.empty()) format.error().where = name;
    return fail(format);
  }
  auto reading = LogReader(source, name, *format, options, sink).read();
  if (options.stop.stop_requested()) return tl::unexpected<Error>(detail::stopped(name));
  return reading;
}

Result<LogReading> read_log(std::istream& in, const std::string& name, const LogOptions& options,
                            const std::function<void(const trace::TaskRecord&)>& sink) {
  return follow_log(in, name, options,
                    [&](const trace::TaskRecord& task, const LogReading&) { sink(task); });
}

trace::TraceHeader header_of(const LogReading& reading) {
  trace::TraceHeader header;
  header.settings.emplace("source", reading.title);
  if (reading.knows == Knowledge::responses) header.settings.emplace("starts", "in response");
  if (reading.knows == Knowledge::services) header.settings.emplace("starts", "unknown");
  if (reading.knows == Knowledge::starts) header.loop = trace::Loop::closed;
  if (reading.zoneless) header.settings.emplace("zone", "unknown");
  if (reading.whole_seconds) header.settings.emplace("resolution", "1 s");
  if (!reading.class_by.empty()) header.settings.emplace("class_by", reading.class_by);
  for (const auto& one : reading.classes) header.classes.push_back(one.name);
  return header;
}

}  // namespace artel::logs
