#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "artel/command/output_files.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command {

/// The outputs of ended jobs, in a file beside the job log, until they are printed and logged. A
/// run that resumes prints them and does not run their jobs again.
///
/// Invariants:
///  J1  A record is in the file whole or not at all, whenever the process dies: its size comes last.
///  J2  A record is dropped after its job's line is in the log.
///  J3  While a record is printed to a regular file, the head names the place where it begins
///      there, so the part that is printed can be found and compared.
/// Nothing is flushed to the disk: a crash of the system may lose records.
///
/// Cost:    about ten system calls per job; on disk, the outputs since the oldest one that is not
///          printed. The destructor removes the file if it has no record.
/// Memory:  32 bytes or so per record.
/// Errors:  io, with the path and the system's reason.
/// Threads: one at a time.
class OutputJournal {
 public:
  /// A part of the file, in bytes.
  struct Text {
    std::uint64_t place = 0;  ///< of its first byte
    std::uint64_t bytes = 0;  ///< its length
  };
  /// What a job has left.
  struct Texts {
    Text line;  ///< for the job log
    Text out;   ///< its stdout
    Text err;   ///< its stderr
  };
  /// What may be done to the file.
  enum class Access : std::uint8_t {
    own,   ///< all; it is made if there is none
    look,  ///< reading what an earlier run has left
  };

  /// The file is named as the log and ".unprinted". Null: the log is not a regular file, so nothing
  /// can resume from it. Access::own waits while processes of a run that died have its lock().
  /// Errors: also closed, when they have it after 15 s.
  [[nodiscard]] static Result<std::unique_ptr<OutputJournal>> open(const std::filesystem::path& log,
                                                                   OutputFiles files,
                                                                   Access access);
  OutputJournal(const OutputJournal&) = delete;
  OutputJournal& operator=(const OutputJournal&) = delete;
  ~OutputJournal();

  /// A descriptor of the file for the jobs and their guard: while one of them has it open after
  /// this process has died, no other run gets the file.
  [[nodiscard]] int lock() const { return lock_.get(); }

  /// Forgets what an earlier run has left.
  [[nodiscard]] Result<void> clear();
  /// Reads what an earlier run has left: each job and its line. False: the record is dropped.
  [[nodiscard]] Result<void> read_earlier(
      const std::function<Result<bool>(std::uint64_t job, const std::string& line)>& keep);
  /// The record of a job from an earlier run, once.
  [[nodiscard]] std::optional<std::uint64_t> take_earlier(std::uint64_t job);
  /// The one of them that the earlier run had begun to print to the file that stdout still is,
  /// once.
  [[nodiscard]] std::optional<std::uint64_t> take_begun();

  /// A new record: begin(), the line, stdout and stderr in this order in pieces, commit().
  void begin(std::uint64_t job);
  /// As in Texts.
  enum class Part : std::uint8_t {
    line,  ///< Texts::line
    out,   ///< Texts::out
    err,   ///< Texts::err
  };
  /// A piece of one of them.
  [[nodiscard]] Result<void> append(Part part, std::string_view text);
  /// Returns the record.
  [[nodiscard]] Result<std::uint64_t> commit();

  /// Its texts, without what an earlier run has printed. All that was printed before is written.
  [[nodiscard]] Result<Texts> begin_printing(std::uint64_t record);
  /// Takes a piece off `text`.
  [[nodiscard]] Result<void> read(Text& text, std::string& piece) const;
  /// It is printed and logged.
  [[nodiscard]] Result<void> drop(std::uint64_t record);

  /// Records that are not dropped.
  [[nodiscard]] std::size_t records() const { return records_; }
  /// On disk.
  [[nodiscard]] std::uint64_t bytes() const { return end_ - first_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  // Of a regular file, and where a record's output begins in it.
  struct Printing {
    std::uint64_t device = 0;
    std::uint64_t file = 0;
    std::uint64_t begin = 0;
  };
  struct Head {
    std::uint64_t magic = 0;
    std::uint64_t first = 0;     // record
    std::uint64_t printing = 0;  // record; 0: none
    std::uint64_t printing_job = 0;
    Printing out;
    Printing err;
  };
  struct Record {
    std::uint64_t size = 0;  // with this head, a multiple of 8; 0: no record, and none behind it
    std::uint64_t dropped = 0;
    std::uint64_t job = 0;
    std::array<std::uint64_t, 3> bytes{};  // by Part
  };
  struct Place {
    std::uint64_t record = 0;
    bool dropped = false;
  };

  OutputJournal(std::string path, file::OpenFile file, file::OpenFile lock, OutputFiles files,
                Access access)
      : path_(std::move(path)),
        file_(std::move(file)),
        lock_(std::move(lock)),
        files_(files),
        access_(access) {}

  static Printing printing_to(int file);
  [[nodiscard]] Result<void> write(std::uint64_t place, std::string_view bytes) const;
  [[nodiscard]] Result<void> write_head() const;
  [[nodiscard]] Result<Record> record_at(std::uint64_t place) const;
  [[nodiscard]] Result<std::string> text_of(Text text) const;
  [[nodiscard]] static Texts texts_of(std::uint64_t place, const Record& record);
  [[nodiscard]] Result<void> find_printed(const Head& head);
  [[nodiscard]] Result<std::uint64_t> printed_of(int file, const Printing& printing,
                                                 const std::array<Text, 2>& texts) const;
  [[nodiscard]] Result<void> shrink();

  std::string path_;
  file::OpenFile file_;
  file::OpenFile lock_;  // of the file, for reading
  OutputFiles files_;
  Access access_;

  Head head_{};
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
  std::deque<Place> places_;  // in order; the first is not dropped
  std::size_t records_ = 0;

  Record next_{};
  std::string piece_;          // of the next record
  std::uint64_t written_ = 0;  // of it

  std::unordered_map<std::uint64_t, std::uint64_t> earlier_;  // records by job
  std::uint64_t begun_ = 0;                                   // record; 0: none
  std::uint64_t out_printed_ = 0;                             // of it
  std::uint64_t err_printed_ = 0;
};

}  // namespace artel::command
