#include "artel/logs/load_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ios>
#include <istream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/whole_file.hpp"
#include "artel/logs/detail/byte_source.hpp"
#include "artel/logs/detail/chosen_format.hpp"
#include "artel/logs/detail/class_names.hpp"
#include "artel/logs/detail/files_progress.hpp"
#include "artel/logs/detail/load_raw_log.hpp"
#include "artel/logs/detail/longest_gap.hpp"
#include "artel/logs/detail/stopped.hpp"
#include "artel/logs/detail/worker_numbers.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/log_stream.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/read_job_log.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_csv_spec.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {
namespace {

// The first bytes; they stay to be read.
std::string start_of(std::istream& in) {
  std::string start(kTellingBytes, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  in.clear();
  in.seekg(0);
  return std::string(detail::after_byte_order_mark(start));
}

// Commas within quotes are part of a cell.
std::size_t cells_of(std::string_view line) {
  std::size_t cells = 1;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++cells;
  }
  return cells;
}

// Whether a line of names and lines of as many values have commas between them.
bool looks_like_csv(std::string_view start) {
  const auto header = start.substr(0, start.find('\n'));
  const auto rest = start.substr(std::min(header.size() + 1, start.size()));
  const auto row = rest.substr(0, rest.find('\n'));
  if (header.find_first_of("{[") != std::string_view::npos) return false;
  return !detail::own_columns(start).empty() ||
         (cells_of(header) > 1 && (row.empty() || cells_of(row) == cells_of(header)));
}

// Whether the first line has one of the columns that the options name.
bool names_column(std::string_view start, const LogOptions& options) {
  const auto header = start.substr(0, start.find_first_of("\r\n"));
  return std::ranges::any_of(options.columns, [&](const auto& column) {
    return !header.starts_with('{') && header.find(column.second) != std::string_view::npos;
  });
}

// artel's own CSV, whose columns may be called otherwise; lengths with units are a log's.
bool is_own_csv(std::string_view start, const LogOptions& options) {
  if (!options.log_format.empty() || options.service || !options.where.empty() ||
      !options.class_by.empty())
    return false;
  const bool of_a_log = std::ranges::any_of(options.columns, [](const auto& column) {
    return column.first == "response" || column.first == "wait" || column.first == "before" ||
           column.second.find(':') != std::string::npos;
  });
  if (of_a_log) return false;
  if (!options.format.empty()) return options.format == "csv";
  return recognise_log(start) == nullptr && (looks_like_csv(start) || names_column(start, options));
}

Result<trace::TaskTrace> read_own(std::istream& in, const std::string& start,
                                  const std::string& name, const LogOptions& options,
                                  const trace::TraceLimits& limits, bool& ours) {
  ours = true;
  const bool recorded =
      trace::is_trace(std::as_bytes(std::span(start))) || trace::is_job_log(start);
  if (recorded && !(options.where.empty() && options.class_by.empty()))
    return fail(ErrorCode::invalid, "goes with a log: this has no such field",
                options.where.empty() ? "--class-by" : "--where");
  if (trace::is_trace(std::as_bytes(std::span(start))) || options.format == "trace") {
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    return trace::read_trace(std::as_bytes(std::span(bytes)), name, limits);
  }
  if (trace::is_job_log(start) || options.format == "joblog") return trace::read_job_log(in, name);
  if (is_own_csv(start, options))
    return trace::read_task_csv(in, name, {.columns = options.columns});
  ours = false;
  return trace::TaskTrace{};
}

// CSV whose columns say more than artel's own do, by the log's reader.
LogOptions with_csv(const LogOptions& options, std::string_view start) {
  const bool own = options.where.empty() && options.class_by.empty() && options.format != "columns";
  auto with = own ? options : with_own_columns(options, start);
  if (with.format == "csv" ||
      (with.format.empty() && with.log_format.empty() && !with.columns.empty() &&
       recognise_log(start) == nullptr && looks_like_csv(start))) {
    with.format = "columns";
  }
  return with;
}

/// Tasks on their way into a trace file, which is there when it is whole.
class TaskWriter {
 public:
  TaskWriter(file::WholeFile file, const trace::TraceHeader& header) : file_(std::move(file)) {
    write(trace::trace_prologue());
    write(trace::header_block(header));
    has_classes_ = !header.classes.empty();
  }

  void add(const trace::TaskRecord& task) {
    if (block_->full()) flush();
    block_->add(task);
    if (has_classes_) classes_.push_back(task.task_class);
    end_ = std::max(end_, task.finished);
  }
  Result<void> finish(std::uint64_t dropped, std::span<const trace::SizeChange> sizes) {
    flush();
    if (!sizes.empty()) write(trace::sizes_block(sizes));
    write(trace::end_block(end_, dropped));
    if (!written_) return written_;
    return file_.commit();
  }

 private:
  void flush() {
    if (!block_->empty()) {
      const auto sealed = block_->sealed(0);
      write(sealed);
      write(block_->sealed_patience());
      if (has_classes_) write(trace::classes_block(sealed, classes_));
    }
    block_->clear();
    classes_.clear();
  }
  void write(std::span<const std::byte> bytes) {
    if (!written_) return;
    written_ = file_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  file::WholeFile file_;
  std::unique_ptr<trace::TaskBlock> block_ = std::make_unique<trace::TaskBlock>();
  bool has_classes_ = false;
  std::vector<std::uint16_t> classes_;  // of the tasks in the block
  Result<void> written_;
  Instant end_{};
};

/// A log that is read twice.
struct Source {
  std::string name;
  std::unique_ptr<LogStream> in;
  LogOptions with;
  std::vector<std::uint64_t> workers;
};

/// What to convert: one file of artel's own, or logs.
struct Opened {
  trace::TaskTrace own;
  std::vector<Source> sources;
};

Result<Opened> open_to_convert(std::span<const std::filesystem::path> from,
                               const LogOptions& options, const std::filesystem::path& to) {
  Opened opened;
  for (const auto& path : from) {
    std::error_code unknown;
    if (std::filesystem::equivalent(path, to, unknown))
      return fail(ErrorCode::invalid, "this is the log itself", to.string());
    auto in = LogStream::open(path, LogStream::Pipes::copied, {.stop = options.stop});
    if (!in) return fail(in);
    const auto start = start_of(**in);
    bool ours = false;
    auto own = read_own(**in, start, path.string(), options, {}, ours);
    if (options.stop.stop_requested()) return tl::unexpected<Error>(detail::stopped(path.string()));
    if (!own) return fail(own);
    if (ours && from.size() > 1) return fail(ErrorCode::invalid, detail::kOnlyLogs, path.string());
    if (ours) {
      if (!own->damage.empty()) return tl::unexpected<Error>(own->damage.front());
      if (const auto failure = (*in)->failure()) return tl::unexpected<Error>(*failure);
      opened.own = *std::move(own);
    } else {
      opened.sources.push_back({path.string(), *std::move(in), with_csv(options, start), {}});
    }
  }
  return opened;
}

}  // namespace

LogOptions with_own_columns(LogOptions options, std::string_view start) {
  start = detail::after_byte_order_mark(start);
  const bool other = !options.format.empty() && options.format != "columns";
  if (other || !options.columns.empty() || !options.log_format.empty() ||
      recognise_log(start) != nullptr)
    return options;
  options.columns = detail::own_columns(start);
  if (!options.columns.empty()) options.format = "columns";
  return options;
}

Result<LoadedLog> load_log(const std::filesystem::path& path, const LogOptions& options,
                           const trace::TraceLimits& limits) {
  detail::FilesProgress progress(std::span(&path, 1), options.progress);
  auto watched = options;
  watched.progress = progress.next();
  auto loaded = detail::load_raw_log(path, watched, limits);
  if (!loaded) return loaded;
  progress.finish();
  auto& reading = loaded->reading;
  if (!reading) return loaded;
  detail::KeptClasses kept;
  kept.add(reading->classes);
  kept.settle(*reading);
  loaded->trace.header.classes = header_of(*reading).classes;
  for (auto& task : loaded->trace.tasks) task.task_class = kept.of(0, task.task_class);
  return loaded;
}

Result<LoadedLog> detail::load_raw_log(const std::filesystem::path& path, const LogOptions& options,
                                       const trace::TraceLimits& limits) {
  auto in = LogStream::open(path, LogStream::Pipes::copied,
                            {.stop = options.stop, .progress = options.progress});
  if (!in) return fail(in);
  const auto start = start_of(**in);
  bool ours = false;
  auto own = read_own(**in, start, path.string(), options, limits, ours);
  if (options.stop.stop_requested()) return tl::unexpected<Error>(detail::stopped(path.string()));
  if (!own) return fail(own);
  LoadedLog loaded;
  if (ours) {
    loaded.trace = *std::move(own);
  } else {
    auto& tasks = loaded.trace.tasks;
    auto reading = read_log(**in, path.string(), with_csv(options, start), [&](const auto& task) {
      if (tasks.size() <= limits.tasks) tasks.push_back(task);
    });
    if (!reading) return fail(reading);
    loaded.trace.header = header_of(*reading);
    loaded.reading = *std::move(reading);
  }
  if (const auto failure = (*in)->failure()) loaded.trace.damage.push_back(*failure);
  if (loaded.trace.tasks.size() > limits.tasks)
    return fail(ErrorCode::too_large, fmt::format("more than {} tasks", limits.tasks),
                path.string());
  trace::sort_by_submission(loaded.trace.tasks);
  if (loaded.reading && !loaded.trace.tasks.empty()) {
    loaded.reading->gap = detail::longest_gap(loaded.trace.tasks);
    loaded.trace.header.started = loaded.trace.tasks.front().submitted;
    loaded.trace.header.wall = loaded.trace.header.started.time_since_epoch();
  }
  return loaded;
}

Result<std::optional<LogReading>> convert_log(const std::filesystem::path& from,
                                              const LogOptions& options,
                                              const std::filesystem::path& to) {
  return convert_log(std::span(&from, 1), options, to);
}

Result<std::optional<LogReading>> convert_log(std::span<const std::filesystem::path> from,
                                              const LogOptions& options,
                                              const std::filesystem::path& to) {
  auto opened = open_to_convert(from, options, to);
  if (!opened) return fail(opened);
  auto& [own, sources] = *opened;
  std::optional<LogReading> all;
  detail::KeptClasses classes;
  for (auto& source : sources) {  // the header goes first, and says what is known of the whole log
    auto first = read_log(*source.in, source.name, source.with, [](const trace::TaskRecord&) {});
    if (!first) return fail(first);
    source.workers = first->workers;
    classes.add(first->classes);
    if (!all) {
      all = *std::move(first);
    } else if (const auto added = all->add(*first); !added) {
      return fail(added.error().code, added.error().what, source.name);
    }
    source.in->clear();
    source.in->seekg(0);
  }
  if (all) classes.settle(*all);
  auto file = file::WholeFile::create(to);
  if (!file) return fail(file);
  TaskWriter writer(*std::move(file), all ? header_of(*all) : own.header);
  for (const auto& task : own.tasks) writer.add(task);
  detail::WorkerNumbers numbers;
  for (std::size_t log = 0; log < sources.size(); ++log) {
    auto& source = sources[log];
    const auto again = read_log(*source.in, source.name, source.with, [&](auto task) {
      numbers.renumber(task, source.workers);
      task.task_class = classes.of(log, task.task_class);
      writer.add(task);
    });
    if (!again) return fail(again);
    if (const auto failure = source.in->failure()) return tl::unexpected<Error>(*failure);
  }
  if (options.stop.stop_requested())
    return tl::unexpected<Error>(detail::stopped(from.front().string()));
  if (const auto finished = writer.finish(own.dropped, own.sizes); !finished) return fail(finished);
  return all;
}

}  // namespace artel::logs
