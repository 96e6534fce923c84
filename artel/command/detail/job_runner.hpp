#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/command/detail/output_store.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// A job that is to be run.
struct CommandJob {
  static constexpr std::uint64_t kNoTurn = ~std::uint64_t{0};

  std::uint64_t number = 0;      ///< from 1
  std::uint64_t turn = kNoTurn;  ///< of its output, from 0, if that is known before it ends
  std::size_t slot = 0;          ///< from 0
  std::vector<std::string> items;
  std::vector<std::string> command;
};

/// What becomes of jobs.
class JobListener {
 public:
  /// It is over, in any way. The rest of its output, after what was passed to the printer.
  /// `report` need not tell the job's number, slot and command.
  virtual void job_over(CommandJob job, JobReport report, JobOutput output) = 0;
  /// A turn for a job whose output comes before its end.
  [[nodiscard]] virtual std::uint64_t next_turn() = 0;
  /// The run cannot go on. `now`: nor can the jobs that run.
  virtual void run_failed(Error error, bool now) = 0;

 protected:
  ~JobListener() = default;
};

/// Who runs the jobs of a JobLoop. Threads: the loop's.
class JobRunner {
 public:
  virtual ~JobRunner() = default;

  /// The slot for the next job; nothing: there is no room now.
  [[nodiscard]] virtual std::optional<std::size_t> free_slot() = 0;
  virtual void start(CommandJob job) = 0;
  /// Jobs that were started and are not over.
  [[nodiscard]] virtual std::size_t jobs() const = 0;
  /// Of those, the ones that run now.
  [[nodiscard]] virtual std::size_t running() const = 0;

  /// Something of the EventSet happened, with a key that is not the loop's.
  virtual void handle(std::uint64_t key) = 0;
  /// How long at most until meet_deadlines() is to be called.
  [[nodiscard]] virtual Duration next_deadline(Instant now) = 0;
  virtual void meet_deadlines(Instant now) = 0;
  /// Where outputs go may have changed: their turn, the room for them. True: it has passed
  /// something to the printer.
  virtual bool redirect_outputs() = 0;

  /// No more jobs will be started. `now`: ends those that run; again: at once.
  virtual void stop(bool now) = 0;
  /// Stops those that run until resume().
  virtual void pause() = 0;
  virtual void resume(Duration paused) = 0;
};

/// Keys of events that belong to the loop itself; runners use smaller ones.
inline constexpr std::uint64_t kControlKey = ~std::uint64_t{0};
inline constexpr std::uint64_t kInputKey = kControlKey - 1;
inline constexpr std::uint64_t kPrinterKey = kControlKey - 2;

}  // namespace artel::command::detail
