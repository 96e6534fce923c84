#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/whole_file.hpp"

namespace artel::trace {

/// A row of the picture: a "thread" of a "process" in the format's words.
struct Track {
  std::uint32_t process = 1;
  std::uint32_t thread = 1;  ///< from 1; unique among all processes, as the viewer takes it for one
};

/// A detail that the viewer shows of a selected slice.
struct Argument {
  std::string_view name;
  std::variant<std::int64_t, double, std::string_view> value;  ///< as the viewer shows it
};
/// The details of one slice.
using Arguments = std::initializer_list<Argument>;

/// Writes a file in the Chrome trace-event format (JSON), which ui.perfetto.dev and
/// chrome://tracing open: slices on tracks, instants, counters and arrows.
///
/// The file appears under its name when finish() succeeds and not before. Events may come in any
/// order of time; at equal times the viewer goes by the order in which they were written, thus
/// write an enclosing slice before what it contains. Names that are not UTF-8 are mended.
/// Cost:    about 0.3 µs and 100 bytes of file an event; memory for one buffer, kBuffer.
/// Errors:  a failed write is kept and returned by finish(); until then calls do nothing.
/// Threads: one at a time.
/// Source:  N. Duca, D. Sinclair, "Trace Event Format" (Google, 2016). Where it leaves a choice:
///          what Perfetto's importer does (src/trace_processor/importers/json).
class ChromeTrace {
 public:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16U;

  /// Errors: as of WholeFile.
  [[nodiscard]] static Result<ChromeTrace> create(const std::filesystem::path& path);

  /// What the viewer calls the process.
  void name_process(std::uint32_t process, std::string_view name);
  /// `sort` orders the tracks of a process, the lowest on top.
  void name_thread(Track track, std::string_view name, std::int64_t sort = 0);

  /// Something that took from `start` for `duration`. Slices of a track nest, they do not overlap.
  void slice(Track track, std::string_view name, Instant start, Duration duration,
             Arguments arguments = {});
  /// The same in two calls, when the end is not known yet: `end` ends what began last on the track.
  void begin(Track track, std::string_view name, Instant start, Arguments arguments = {});
  void end(Track track, Instant time);

  /// A moment on a track.
  void instant(Track track, std::string_view name, Instant time, Arguments arguments = {});

  /// A value that changes over time, one graph for each name and process.
  void counter(std::uint32_t process, std::string_view name, Instant time, double value);

  /// An arrow between two slices: from the innermost slice that is open on `track` at this point of
  /// the file to that at flow_finish. Requires: `name` and `id` are the same for both, and such a
  /// slice is there.
  void flow_start(Track track, std::string_view name, std::uint64_t id, Instant time);
  /// See flow_start().
  void flow_finish(Track track, std::string_view name, std::uint64_t id, Instant time);

  /// Slices that may overlap: each name and id gets a row of its own beneath the process.
  void async_begin(std::uint32_t process, std::string_view name, std::uint64_t id, Instant start,
                   Arguments arguments = {});
  /// Ends what async_begin() began, of the same name and id.
  void async_end(std::uint32_t process, std::string_view name, std::uint64_t id, Instant time);

  /// Completes the file. To be called once; without, there is no file.
  [[nodiscard]] Result<void> finish();

  /// Events written so far, names included.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  explicit ChromeTrace(file::WholeFile file) : file_(std::move(file)) {}

  void open(char phase, std::uint32_t process, std::string_view name);
  void put_thread(std::uint32_t thread);
  void put_time(std::string_view key, std::int64_t ns);
  void put_id(std::uint64_t id);
  void put_arguments(Arguments arguments);
  void put_number(double value);
  void close();
  void flush();

  file::WholeFile file_;
  std::string buffer_;
  std::uint64_t count_ = 0;
  Result<void> failure_;
};

}  // namespace artel::trace
