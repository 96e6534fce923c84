#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::command {

/// A job for somebody else to run.
struct PlacedJob {
  std::uint64_t job = 0;
  std::vector<std::string> command;  ///< word by word
};

/// How it ended there, its last attempt if there were several.
struct PlacedEnd {
  std::uint64_t job = 0;  ///< PlacedJob::job
  Ending ending;
  bool failed = false;      ///< after all attempts
  bool timed_out = false;   ///< killed since it took longer than allowed
  Duration started_wall{};  ///< since 1970 (UTC)
  Duration runtime{};       ///< of the last attempt
  std::string host;         ///< where it ran
  std::string out;          ///< what it wrote to stdout
  std::string err;          ///< what it wrote to stderr
};

/// Where the jobs of a JobLoop run if not as processes of ours: on a cluster.
///
/// Threads: the loop's. No member waits, but the destructor may.
class JobPlace {
 public:
  virtual ~JobPlace() = default;

  /// Readable when there may be room, an end or a failure that was not there before.
  [[nodiscard]] virtual int file() const = 0;
  /// How many more jobs it takes now.
  [[nodiscard]] virtual std::size_t room() = 0;
  /// Requires: room().
  virtual void start(PlacedJob job) = 0;
  /// The jobs that have ended since.
  [[nodiscard]] virtual std::vector<PlacedEnd> take_ends() = 0;
  /// Why the jobs that are there will not end.
  [[nodiscard]] virtual std::optional<Error> failure() = 0;
  /// Stops the jobs that are there until resume(), if they are within reach.
  virtual void pause() {}
  virtual void resume() {}
  /// There will be no more jobs. `now`: nobody waits for those that are there.
  virtual void stop(bool now) = 0;
};

}  // namespace artel::command
