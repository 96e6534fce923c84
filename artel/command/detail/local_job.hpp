#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/command/child.hpp"
#include "artel/command/detail/capture.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// A job that runs here, and what it has written so far.
struct LocalJob {
  enum class State : std::uint8_t {
    unused,
    held,     ///< waits for the system to have room for its process
    running,  ///< has a child
    heard,    ///< its process has ended; what that has left behind may still write
  };

  /// Keys of events: the attempt (32 bits of its number), the job's place, and one of these.
  static constexpr std::uint64_t kChild = 0;
  static constexpr std::uint64_t kOut = 1;
  static constexpr std::uint64_t kErr = 2;
  static constexpr std::uint64_t kKeys = 4;
  [[nodiscard]] std::uint64_t key_of(std::size_t index, std::uint64_t which) const {
    constexpr unsigned kAttemptShift = 32;
    return attempts << kAttemptShift | (kKeys * index + which);
  }
  [[nodiscard]] bool may_write() const { return state == State::running || state == State::heard; }
  [[nodiscard]] Capture& stream(bool is_err) { return is_err ? err : out; }
  [[nodiscard]] std::uint64_t bytes() const { return out.bytes() + err.bytes(); }

  State state = State::unused;
  CommandJob job;
  std::optional<Child> child;
  unsigned attempt = 1;        ///< of the job
  std::uint64_t attempts = 0;  ///< of all jobs that were here
  Instant started{};
  Duration started_wall{};
  Instant deadline = kNever;  ///< to be told to end, and then killed; heard: to be heard no more
  bool told_to_end = false;
  bool timed_out = false;
  bool cancelled = false;
  bool begun = false;  ///< the printer has a part of its output
  JobReport report;    ///< heard: of its process
  pid_t group = 0;     ///< heard: of its process
  Capture out;
  Capture err;

  void begin_attempt(Duration timeout);
  /// SIGTERM; the time for SIGKILL is after `grace`. Requires: a child.
  void tell_to_end(Instant now, Duration grace);
  /// Forgets what it has written. Errors: as of SpillFile.
  [[nodiscard]] Result<void> discard(SpillFile& spill);
};

}  // namespace artel::command::detail
