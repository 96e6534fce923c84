#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/flat_map.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {

/// How an operation on a file ended.
enum class FileOutcome : std::uint8_t {
  done,              ///< as asked
  no_such_mount,     ///< no disk is mounted above the path
  mount_exists,      ///< something is mounted there, or the disk is mounted somewhere
  no_such_file,      ///< there is no file of that path
  file_exists,       ///< there is one of that path
  past_end,          ///< a read of more bytes than the file has
  no_space,          ///< the disk has not that much free
  larger_than_disk,  ///< the disk has not that much, free or not
  busy,              ///< it is being read or written
};
/// "done", "no such mount", …
[[nodiscard]] std::string_view describe(FileOutcome outcome);

/// A read of a file has ended, or could not begin.
struct FileReadDone {
  OperationId operation{};
  std::uint64_t bytes = 0;  ///< asked for
  FileOutcome outcome{};
};
/// The same of a write.
struct FileWriteDone {
  OperationId operation{};
  std::uint64_t bytes = 0;  ///< asked for
  FileOutcome outcome{};
};
[[nodiscard]] inline std::uint64_t key_of(const FileReadDone& done) {
  return index(done.operation);
}
[[nodiscard]] inline std::uint64_t key_of(const FileWriteDone& done) {
  return index(done.operation);
}
void add_to(trace::Fingerprint& print, const FileReadDone& done);
void add_to(trace::Fingerprint& print, const FileWriteDone& done);

/// Named files on disks, which are mounted at places of one tree of paths.
///
/// A path belongs to the disk whose mount point is its longest prefix, in whole names: "/data/a" to
/// "/data", "/database" not. There are no directories: a file's path may have any names. A write
/// appends; its space is taken at once, the file grows when it has ended. Files stay with their
/// disk: unmounted and mounted elsewhere, they are found there.
///
/// Callbacks: `start_read(path, id())` gives a number, and later `on(const FileReadDone&)` is
/// called. Coroutines: `co_await files.read(path)`. Both cause the same events: the disk's, the
/// second of them to the file system, then one to who asked, at the same instant.
/// Cost:   O(log files + length of the path) and the disk's.
/// Source: as DSLab's file system. Threads: its simulation's.
class FileSystem final : public Component<DiskReadDone, DiskWriteDone> {
 public:
  /// Read the whole file.
  static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

  FileSystem() = default;
  ~FileSystem();

  /// done, mount_exists. `point` is "/" or "/some/names"; the disk must outlive the file system.
  FileOutcome mount(std::string point, Disk& disk);
  /// done, no_such_mount, busy.
  FileOutcome unmount(std::string_view point);

  /// Makes an empty file: done, no_such_mount, file_exists.
  FileOutcome create(std::string_view path);
  /// Deletes a file and frees its space: done, no_such_mount, no_such_file, busy.
  FileOutcome remove(std::string_view path);
  /// Bytes of a file; nothing when there is none.
  [[nodiscard]] std::optional<std::uint64_t> size(std::string_view path) const;
  /// The disk to which a path belongs, for its space; nullptr when there is none.
  [[nodiscard]] const Disk* disk_of(std::string_view path) const;

  /// `notify` gets a FileReadDone: done, no_such_mount, no_such_file, past_end.
  OperationId start_read(std::string_view path, ComponentId notify, std::uint64_t bytes = kAll);
  /// `notify` gets a FileWriteDone: done, no_such_mount, no_such_file, no_space, larger_than_disk.
  OperationId start_write(std::string_view path, std::uint64_t bytes, ComponentId notify);

  /// Given up when the process is cancelled, as losers of any_of are.
  [[nodiscard]] Task<FileOutcome> read(std::string path, std::uint64_t bytes = kAll);
  [[nodiscard]] Task<FileOutcome> write(std::string path, std::uint64_t bytes);

  using Context::cancel;
  /// Ends an operation without a word to who asked for it; of a write nothing is written. False
  /// when it has ended: what says so may be on its way.
  bool cancel(OperationId operation);

  // Handles the events of its disks.
  void on(const DiskReadDone& done, const Event& event);
  void on(const DiskWriteDone& done, const Event& event);

 private:
  struct File {
    std::uint64_t size = 0;
    std::uint32_t operations = 0;  // under way
  };
  struct Volume {
    Disk* disk = nullptr;
    bool mounted = false;
    std::map<std::string, File, std::less<>> files;  // by path below the mount point
    std::uint32_t operations = 0;                    // under way
    detail::FlatMap<OperationId> by_disk_operation;
  };
  struct Operation {
    Listener<FileSystem> listener;
    Volume* volume = nullptr;
    File* file = nullptr;
    OperationId disk_operation{};
  };
  struct Location {
    Volume* volume = nullptr;
    std::string_view name;  // below the mount point
  };

  [[nodiscard]] Location location_of(std::string_view path) const;
  /// The file, or why there is none.
  [[nodiscard]] std::pair<File*, FileOutcome> find(const Location& location) const;

  OperationId begin_read(std::string_view path, std::uint64_t bytes,
                         const Listener<FileSystem>& listener);
  OperationId begin_write(std::string_view path, std::uint64_t bytes,
                          const Listener<FileSystem>& listener);
  void expect(OperationId id, Volume& volume, File& file, OperationId disk_operation);
  void forget(OperationId id);

  std::map<ComponentId, Volume> volumes_;               // by disk; once mounted, for ever
  std::map<std::string, Volume*, std::less<>> mounts_;  // by point; "" for "/"
  OperationTable<Operation> operations_;
};

}  // namespace artel::sim
