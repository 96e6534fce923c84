#pragma once

#include <cstdint>
#include <system_error>
#include <tl/expected.hpp>

#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

/// Takes in what one job writes to one stream, in bounded memory: what is more than kPiece goes to
/// the spill file.
///
/// Threads: one at a time.
class Capture {
 public:
  static constexpr std::size_t kPiece = std::size_t{1} << 16U;

  Capture() = default;
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture();

  /// Makes a pipe; `events` tells by `key` when there is something in it, as long as it is open.
  /// Returns its end for the job, which the caller closes. Errors: the system's.
  [[nodiscard]] tl::expected<int, std::error_code> open(EventSet& events, std::uint64_t key);
  /// Our end; -1: closed, as the job has closed its own or nothing was opened.
  [[nodiscard]] int file() const { return file_; }
  /// Reads what is there now. Errors: as of SpillFile.
  [[nodiscard]] Result<void> drain(SpillFile& spill);
  /// Adds a text of ours.
  void append(std::string_view text);
  /// Ends it: what was read, and nothing is left here.
  [[nodiscard]] StreamText take();
  /// Ends it and forgets what was read.
  void discard(SpillFile& spill);

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void close();

  EventSet* events_ = nullptr;
  int file_ = -1;
  StreamText stream_;
  std::uint64_t bytes_ = 0;
};

}  // namespace artel::command::detail
