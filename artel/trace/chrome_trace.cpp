#include "artel/trace/chrome_trace.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/append_json.hpp"
#include "artel/file/whole_file.hpp"

namespace artel::trace {
namespace {

std::int64_t ns_of(Instant time) { return time.time_since_epoch().count(); }

}  // namespace

Result<ChromeTrace> ChromeTrace::create(const std::filesystem::path& path) {
  Result<file::WholeFile> file = file::WholeFile::create(path);
  if (!file) return fail(file);
  return ChromeTrace(std::move(*file));
}

// --- One event: open, any put_…, close.

void ChromeTrace::open(char phase, std::uint32_t process, std::string_view name) {
  buffer_ += count_++ == 0 ? "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" : ",\n";
  fmt::format_to(std::back_inserter(buffer_), R"({{"ph":"{}","pid":{})", phase, process);
  if (name.empty()) return;
  buffer_ += ",\"name\":";
  file::append_json(buffer_, name);
}

void ChromeTrace::put_thread(std::uint32_t thread) {
  fmt::format_to(std::back_inserter(buffer_), ",\"tid\":{}", thread);
}

/// The format counts in microseconds; the fraction keeps the nanoseconds.
void ChromeTrace::put_time(std::string_view key, std::int64_t ns) {
  const auto magnitude = ns < 0 ? -static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  fmt::format_to(std::back_inserter(buffer_), ",\"{}\":{}{}.{:03}", key, ns < 0 ? "-" : "",
                 magnitude / 1000, magnitude % 1000);
}

/// Numbers beyond 2^53 would not survive a reader that knows doubles only: as text.
void ChromeTrace::put_id(std::uint64_t id) {
  fmt::format_to(std::back_inserter(buffer_), R"(,"cat":"artel","id":"0x{:x}")", id);
}

void ChromeTrace::put_number(double value) {
  if (std::isfinite(value)) {
    fmt::format_to(std::back_inserter(buffer_), "{}", value);
  } else {
    file::append_json(buffer_, fmt::format("{}", value));  // JSON knows neither inf nor nan
  }
}

void ChromeTrace::put_arguments(Arguments arguments) {
  if (arguments.size() == 0) return;
  char separator = '{';
  buffer_ += ",\"args\":";
  for (const Argument& argument : arguments) {
    buffer_ += std::exchange(separator, ',');
    file::append_json(buffer_, argument.name);
    buffer_ += ':';
    if (const auto* number = std::get_if<std::int64_t>(&argument.value)) {
      fmt::format_to(std::back_inserter(buffer_), "{}", *number);
    } else if (const auto* real = std::get_if<double>(&argument.value)) {
      put_number(*real);
    } else {
      file::append_json(buffer_, std::get<std::string_view>(argument.value));
    }
  }
  buffer_ += '}';
}

void ChromeTrace::close() {
  buffer_ += '}';
  if (buffer_.size() >= kBuffer) flush();
}

void ChromeTrace::flush() {
  if (failure_) failure_ = file_.write(buffer_);
  buffer_.clear();
}

// --- What can be written.

void ChromeTrace::name_process(std::uint32_t process, std::string_view name) {
  open('M', process, "process_name");
  put_arguments({{"name", name}});
  close();
}

void ChromeTrace::name_thread(Track track, std::string_view name, std::int64_t sort) {
  open('M', track.process, "thread_name");
  put_thread(track.thread);
  put_arguments({{"name", name}});
  close();
  open('M', track.process, "thread_sort_index");
  put_thread(track.thread);
  put_arguments({{"sort_index", sort}});
  close();
}

void ChromeTrace::slice(Track track, std::string_view name, Instant start, Duration duration,
                        Arguments arguments) {
  open('X', track.process, name);
  put_thread(track.thread);
  put_time("ts", ns_of(start));
  put_time("dur", duration.count());
  put_arguments(arguments);
  close();
}

void ChromeTrace::begin(Track track, std::string_view name, Instant start, Arguments arguments) {
  open('B', track.process, name);
  put_thread(track.thread);
  put_time("ts", ns_of(start));
  put_arguments(arguments);
  close();
}

void ChromeTrace::end(Track track, Instant time) {
  open('E', track.process, {});
  put_thread(track.thread);
  put_time("ts", ns_of(time));
  close();
}

void ChromeTrace::instant(Track track, std::string_view name, Instant time, Arguments arguments) {
  open('i', track.process, name);
  put_thread(track.thread);
  put_time("ts", ns_of(time));
  buffer_ += R"(,"s":"t")";
  put_arguments(arguments);
  close();
}

void ChromeTrace::counter(std::uint32_t process, std::string_view name, Instant time,
                          double value) {
  open('C', process, name);
  put_time("ts", ns_of(time));
  put_arguments({{"value", value}});
  close();
}

void ChromeTrace::flow_start(Track track, std::string_view name, std::uint64_t id, Instant time) {
  open('s', track.process, name);
  put_thread(track.thread);
  put_time("ts", ns_of(time));
  put_id(id);
  close();
}

void ChromeTrace::flow_finish(Track track, std::string_view name, std::uint64_t id, Instant time) {
  open('f', track.process, name);
  put_thread(track.thread);
  put_time("ts", ns_of(time));
  put_id(id);
  buffer_ += R"(,"bp":"e")";  // to the slice that is open, not to the one that begins next
  close();
}

void ChromeTrace::async_begin(std::uint32_t process, std::string_view name, std::uint64_t id,
                              Instant start, Arguments arguments) {
  open('b', process, name);
  put_time("ts", ns_of(start));
  put_id(id);
  put_arguments(arguments);
  close();
}

void ChromeTrace::async_end(std::uint32_t process, std::string_view name, std::uint64_t id,
                            Instant time) {
  open('e', process, name);
  put_time("ts", ns_of(time));
  put_id(id);
  close();
}

Result<void> ChromeTrace::finish() {
  buffer_ += count_ == 0 ? "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[]}\n" : "\n]}\n";
  flush();
  if (!failure_) return failure_;
  return file_.commit();
}

}  // namespace artel::trace
