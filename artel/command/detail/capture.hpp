#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>

#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command::detail {

/// Takes in what one job writes to one stream, in bounded memory: what is more than kPiece goes to
/// the spill file, unless it is taken out in time.
///
/// Threads: one at a time.
class Capture {
 public:
  static constexpr std::size_t kPiece = std::size_t{1} << 16U;

  Capture() = default;
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture();

  /// Makes a pipe; `events` tells by `key` when there is something in it, as long as it is open and
  /// listened to. Returns its end for the job. Errors: the system's.
  [[nodiscard]] tl::expected<file::OpenFile, std::error_code> open(EventSet& events,
                                                                   std::uint64_t key);
  /// Each line begins with this from now on.
  void tag(std::string text) { tag_ = std::move(text); }
  /// Whether `events` tells. At first it does.
  void listen(bool on);
  /// Whether the job may still write.
  [[nodiscard]] bool is_open() const { return file_.get() >= 0; }

  /// Reads what is there now, as much as a pipe can hold at most. Errors: as of SpillFile.
  [[nodiscard]] Result<void> drain(SpillFile& spill);
  /// Reads one piece at most, and keeps it in memory.
  void read_piece() { static_cast<void>(read()); }
  /// Adds a text of ours.
  void append(std::string_view text);

  /// What was read; goes on.
  [[nodiscard]] StreamText take_read();
  /// The lines that are whole, of what is in memory; goes on.
  [[nodiscard]] std::string take_lines();
  /// Ends it: what was read, and nothing is left here.
  [[nodiscard]] StreamText take();
  /// Ends it and forgets what was read. Errors: as of SpillFile.
  [[nodiscard]] Result<void> discard(SpillFile& spill);

  /// That the job has written.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return stream_.empty(); }
  /// That are in memory.
  [[nodiscard]] std::size_t bytes_kept() const { return stream_.text.size(); }

 private:
  [[nodiscard]] bool read();
  void close();

  EventSet* events_ = nullptr;
  std::uint64_t key_ = 0;
  file::OpenFile file_;
  bool listens_ = false;
  StreamText stream_;
  std::uint64_t bytes_ = 0;
  std::string tag_;
  bool within_line_ = false;
};

}  // namespace artel::command::detail
