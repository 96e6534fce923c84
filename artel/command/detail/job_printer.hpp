#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/output_stream.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/command/output_files.hpp"
#include "artel/command/output_journal.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

/// Writes outputs of jobs one after the other, each one's stdout, then its stderr, without
/// blocking, and says when a job's are out.
///
/// The job in turn may still run: pass() hands over what it has written so far.
/// Invariant: a job's note is given to `printed` when all that was written before has been taken:
///            by the file, and if stdout is a pipe, by its reader (without `printed`, nobody asks).
/// Threads: one at a time.
class JobPrinter {
 public:
  struct Hooks {
    std::function<void()> before;                                  ///< something is written
    std::function<Result<void>(const std::string& note)> printed;  ///< may be empty
  };

  /// `journal`: has the texts of outputs with a record, which it drops after `printed`; or null.
  JobPrinter(OutputStore& store, SpillFile& spill, OutputJournal* journal, OutputFiles files,
             Hooks hooks)
      : store_(store),
        spill_(spill),
        journal_(journal),
        out_(files.out),
        err_(files.err),
        hooks_(std::move(hooks)) {}

  enum class PartKind : std::uint8_t { out, err, note };
  /// To be written now.
  void pass(PartKind kind, StreamText text);

  /// Writes what is due, until nothing is or somebody does not take it.
  /// Errors: closed: nobody reads stdout any more; io: writing, or reading back what was spilled;
  /// those of `printed`. What stderr refuses is lost.
  [[nodiscard]] Result<void> print();

  /// The turn whose output comes next, or is passed on.
  [[nodiscard]] std::uint64_t turn() const { return turn_; }
  /// The file that has to become writable before it can go on; nothing: none is due.
  [[nodiscard]] std::optional<int> blocked_on() const;
  /// Jobs that are written, but not yet taken by the pipe's reader.
  [[nodiscard]] std::size_t untaken() const { return notes_.size(); }

 private:
  struct Part {
    PartKind kind;
    StreamText text;
    std::uint64_t record = 0;  // note: of the output
  };
  struct Note {
    std::uint64_t written;  // stdout, up to here
    std::string text;
    std::uint64_t record;
  };

  [[nodiscard]] Result<void> write_due();
  [[nodiscard]] Result<bool> print_part();
  [[nodiscard]] Result<bool> write(OutputStream& file);
  [[nodiscard]] Result<void> read_note();
  [[nodiscard]] Result<void> tell_printed();
  [[nodiscard]] Result<void> find_kept(JobOutput& output);
  [[nodiscard]] Result<bool> fill(StreamText& text);

  OutputStore& store_;
  SpillFile& spill_;
  OutputJournal* journal_;
  OutputStream out_;
  OutputStream err_;
  Hooks hooks_;
  std::uint64_t turn_ = 0;
  std::deque<Part> parts_;   // to be written
  std::string piece_;        // of the first one
  std::size_t written_ = 0;  // of it
  std::deque<Note> notes_;
};

}  // namespace artel::command::detail
