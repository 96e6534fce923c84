#include "artel/logs/detail/chosen_format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/logs/detail/line_pattern.hpp"
#include "artel/logs/detail/task_maker.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_options.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {
namespace {

constexpr std::size_t kLinesLookedAt = 50;

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view take_line(std::string_view& text) {
  const auto line = first_line(text);
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// How many of the first lines are written so, and make sense: nginx writes request times with a
// point, Apache's are whole.
std::size_t lines_of(const LogFormat& format, std::string_view start) {
  LogReading ignored;
  TaskMaker maker(format, {}, ignored);
  const LinePattern pattern(format.layout, maker.field_names());
  std::vector<std::string_view> values(maker.fields().size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < kLinesLookedAt && start.find('\n') != std::string_view::npos; ++i) {
    std::size_t stopped = 0;
    trace::TaskRecord task;
    std::ranges::fill(values, std::string_view{});
    if (!pattern.match(take_line(start), values, stopped)) continue;
    bool sensible = maker.make(values, task) != TaskMaker::Made::bad;
    for (std::size_t f = 0; f < values.size(); ++f) {
      if (maker.fields()[f].role == Role::response && maker.fields()[f].form == FieldForm::seconds)
        sensible = sensible && values[f].find('.') != std::string_view::npos;
    }
    if (sensible) ++count;
  }
  return count;
}

// Of a log whose columns have no names: as many numbers, behind the first one, as they are.
bool has_numbers(const LogFormat& format, std::string_view line) {
  const auto names = std::string_view(format.layout).substr(1);
  const auto cells = std::ranges::count(line, format.layout.front());
  if (cells != std::ranges::count(names, ' ')) return false;
  const auto behind_first = line.substr(line.find(format.layout.front()) + 1);
  return behind_first.find_first_not_of("-.0123456789\t") == std::string_view::npos;
}

bool has_signature(const LogFormat& format, std::string_view start) {
  auto words = format.signature;
  if (words.empty()) return false;
  if (format.shape == LogShape::separated && format.layout.starts_with('\t')) {
    auto rest = start;
    if (!has_numbers(format, take_line(rest))) return false;
  }
  const auto text =
      format.shape == LogShape::separated && !words.starts_with(';') ? first_line(start) : start;
  if (words.starts_with(';') && !start.starts_with(';')) return false;
  for (;;) {
    const auto bar = words.find('|');
    if (text.find(words.substr(0, bar)) == std::string_view::npos) return false;
    if (bar == std::string_view::npos) return true;
    words.remove_prefix(bar + 1);
  }
}

// "duration:ms" is the field "duration", in milliseconds.
LogField parse_column(Role role, std::string_view column) {
  constexpr std::array<std::pair<std::string_view, FieldForm>, 6> kUnits{
      {{":s", FieldForm::seconds},
       {":ms", FieldForm::milliseconds},
       {":us", FieldForm::microseconds},
       {":ns", FieldForm::nanoseconds},
       {":clock", FieldForm::clock},
       {":status", FieldForm::http_status}}};
  for (const auto& [unit, form] : kUnits) {
    if (column.ends_with(unit)) return {column.substr(0, column.size() - unit.size()), role, form};
  }
  return {column, role, FieldForm::automatic};
}

// What a column of a task is called, here and in --column.
constexpr std::array<std::pair<std::string_view, Role>, 10> kRoles{{{"submitted", Role::submitted},
                                                                    {"started", Role::started},
                                                                    {"finished", Role::finished},
                                                                    {"wait", Role::wait},
                                                                    {"service", Role::service},
                                                                    {"response", Role::response},
                                                                    {"size", Role::size},
                                                                    {"worker", Role::worker},
                                                                    {"outcome", Role::outcome},
                                                                    {"before", Role::before}}};

Result<void> add_columns(LogFormat& format, const LogOptions& options) {
  for (const auto& [name, column] : options.columns) {
    const auto* const known =
        std::ranges::find(kRoles, name, &std::pair<std::string_view, Role>::first);
    if (known == kRoles.end()) {
      std::vector<std::string_view> allowed;
      for (const auto& role : kRoles) allowed.push_back(role.first);
      return fail(ErrorCode::invalid, unknown_name("value of a task", name, allowed), "--column");
    }
    std::erase_if(format.fields,
                  [&](const LogField& field) { return field.role == known->second; });
    format.fields.push_back(parse_column(known->second, column));
  }
  if (!options.columns.empty()) format.advice = {};
  return {};
}

bool has(const LogFormat& format, Role role) {
  return std::ranges::find(format.fields, role, &LogField::role) != format.fields.end();
}

// What a format of the user's own knows.
Result<void> judge(LogFormat& format) {
  const bool when =
      has(format, Role::submitted) || has(format, Role::started) || has(format, Role::finished);
  const bool begins = has(format, Role::started) || has(format, Role::wait);
  const bool ends = has(format, Role::submitted) && has(format, Role::finished);
  if (!when) {
    return fail(ErrorCode::invalid,
                "nothing says when a task came; expected --column submitted=FIELD or "
                "finished=FIELD");
  }
  if (!ends && !has(format, Role::response) && !has(format, Role::service) &&
      !(has(format, Role::started) && has(format, Role::finished))) {
    return fail(ErrorCode::invalid,
                "nothing says how long a task took; expected --column response=FIELD:ms (waiting "
                "included), service=FIELD:ms, or finished=FIELD");
  }
  if (!has(format, Role::submitted) && !has(format, Role::response)) {
    format.knows = Knowledge::starts;
  } else if (begins) {
    format.knows = Knowledge::everything;
  } else if (has(format, Role::service)) {
    format.knows = ends ? Knowledge::everything : Knowledge::services;
  } else {
    format.knows = Knowledge::responses;
  }
  return {};
}

// What a log has under these names. Of a server's: the first variable that is there.
struct ClassWord {
  std::string_view word, variable;
  ClassPart part = ClassPart::whole;
};
constexpr std::array<ClassWord, 18> kClassWords{
    {{"path", "$uri", ClassPart::path},
     {"path", "$request_uri", ClassPart::path},
     {"path", "$request", ClassPart::path},
     {"path", "%r", ClassPart::path},
     {"path", "%{+Q}r", ClassPart::path},
     {"path", "%U", ClassPart::path},
     {"path", "%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%", ClassPart::path},
     {"path", "%rest", ClassPart::path},
     {"method", "$request_method"},
     {"method", "%REQ(:METHOD)%"},
     {"method", "$request", ClassPart::method},
     {"method", "%r", ClassPart::method},
     {"method", "%{+Q}r", ClassPart::method},
     {"method", "%rest", ClassPart::method},
     {"status", "$status"},
     {"status", "%RESPONSE_CODE%"},
     {"status", "%ST"},
     {"status", "%>s"}}};

// And of others, by format.
constexpr std::array<std::pair<std::string_view, ClassWord>, 4> kWordsOfFormats{
    {{"celery", {"task", "name"}},
     {"otlp", {"service", "service.name"}},
     {"temporal", {"activity", "activityTaskScheduledEventAttributes.activityType.name"}},
     {"temporal", {"queue", "activityTaskScheduledEventAttributes.taskQueue.name"}}}};

Result<void> choose_class(LogFormat& format, const std::string& class_by) {
  if (class_by.empty()) return {};
  format.class_field = {class_by};
  for (const auto& [name, words] : kWordsOfFormats) {
    if (name == format.name && words.word == class_by) format.class_field = {words.variable};
  }
  if (format.shape != LogShape::pattern) return {};
  auto known = variables_of(format.layout);
  if (std::ranges::find(known, class_by) != known.end()) return {};
  for (const auto& [word, variable, part] : kClassWords) {
    if (std::ranges::find(known, variable) == known.end()) continue;
    if (word == class_by) {
      format.class_field = {variable, part};
      return {};
    }
    if (std::ranges::find(known, word) == known.end()) known.push_back(word);
  }
  return fail(ErrorCode::not_found, unknown_name("field", class_by, known), "--class-by");
}

// It begins with a table of TOML, behind lines that are empty or comments.
bool is_scenario(std::string_view start) {
  while (start.starts_with('#') || start.starts_with('\n') || start.starts_with('\r'))
    start.remove_prefix(std::min(start.find('\n'), start.size() - 1) + 1);
  const auto line = start.substr(0, start.find_first_of("\r\n"));
  return line.starts_with('[') && line.ends_with(']') &&
         line.find_first_not_of("[]._abcdefghijklmnopqrstuvwxyz") == std::string_view::npos &&
         line != "[]";
}

Result<LogFormat> base_format(std::string_view start, const LogOptions& options) {
  if (!options.log_format.empty()) return parse_log_format(options.log_format);
  if (!options.format.empty()) return find_log_format(options.format);
  if (is_scenario(start))
    return fail(ErrorCode::parse,
                "found a scenario, not a log; expected it in a file whose name ends in .toml");
  if (const auto* found = recognised_format(start)) return *found;
  std::vector<std::string> names;
  for (const auto& format : log_formats()) names.emplace_back(format.name);
  return fail(ErrorCode::parse,
              fmt::format("this log is in no format that is known; expected a trace recorded by "
                          "artel, CSV with a line of column names, {}; or give the server's format "
                          "string: --log-format '$remote_addr … $request_time'",
                          join(names, ", ")));
}

}  // namespace

std::map<std::string, std::string, std::less<>> own_columns(std::string_view start) {
  auto line = start.substr(0, start.find_first_of("\r\n"));
  std::map<std::string, std::string, std::less<>> columns;
  if (line.find('{') != std::string_view::npos) return columns;
  while (!line.empty()) {
    const auto name = line.substr(0, line.find(','));
    line.remove_prefix(std::min(name.size() + 1, line.size()));
    if (std::ranges::find(kRoles, name, &std::pair<std::string_view, Role>::first) != kRoles.end())
      columns.emplace(name, name);
  }
  if (!columns.contains("submitted") && !columns.contains("finished")) columns.clear();
  return columns;
}

bool is_line_of_json(std::string_view start) {
  const auto line = first_line(start);
  if (line.size() == start.size() && start.find('\n') == std::string_view::npos) return true;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
  }
  return depth == 0 && line.find('{') != std::string_view::npos;
}

const LogFormat* recognised_format(std::string_view start) {
  const auto text = start.substr(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  if (text.starts_with('{') || text.starts_with('[')) {
    const bool json = text.front() == '{' || text.find('{') < text.find('"');
    for (const auto& format : log_formats()) {
      if (format.shape != LogShape::json || !json) continue;
      if (format.signature.empty() || has_signature(format, start)) return &format;
    }
  }
  for (const auto& format : log_formats()) {
    if (format.shape == LogShape::separated && has_signature(format, start)) return &format;
  }
  const LogFormat* best = nullptr;
  std::size_t most = 0;
  for (const auto& format : log_formats()) {
    if (format.shape != LogShape::pattern) continue;
    const auto lines = lines_of(format, start);
    if (lines > most) {
      most = lines;
      best = &format;
    }
  }
  return best;
}

Result<LogFormat> chosen_format(std::string_view start, const LogOptions& options) {
  auto format = base_format(start, options);
  if (!format) return format;
  for (const auto& [field, value] : options.where) {
    const auto known = variables_of(format->layout);
    if (format->shape == LogShape::pattern && std::ranges::find(known, field) == known.end())
      return fail(ErrorCode::not_found, unknown_name("field", field, known), "--where");
    format->filters.push_back({field, value});
  }
  if (const auto chosen = choose_class(*format, options.class_by); !chosen) return fail(chosen);
  if (const auto added = add_columns(*format, options); !added) return fail(added);
  if (options.service) {
    for (const auto& variable : options.service->variables)
      format->fields.push_back({variable, Role::number});
    if (!has(*format, Role::started)) format->knows = Knowledge::services;
    format->advice = {};
  } else if (!options.columns.empty()) {
    if (const auto known = judge(*format); !known) return fail(known);
  }
  if (!format->advice.empty()) {
    return fail(ErrorCode::invalid, fmt::format("this {} {}", format->title, format->advice));
  }
  return format;
}

}  // namespace artel::logs::detail
