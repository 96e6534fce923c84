#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/file/open_file.hpp"

namespace artel::command {

/// How a process ended.
struct Ending {
  int exit_status = 0;  ///< when it exited; 0 if a signal ended it
  int signal = 0;       ///< that ended it; 0: it exited
};

/// A process of ours and, while it lives, its process group.
///
/// It starts with no signal blocked, SIGPIPE and SIGXFSZ as usual, nothing open but what we
/// inherited ourselves and the three files, and in a process group of its own, so that a Ctrl-C at
/// the terminal reaches us alone; Manner can change both. When the thread that started it
/// dies, it gets SIGTERM from the kernel, unless Manner::entry is set; what it started itself does
/// not.
///
/// Cost:    as posix_spawn: the memory is shared until the program starts, not copied.
/// Threads: one at a time.
class Child {
 public:
  /// Descriptors of ours that become its stdin (in), stdout (out) and stderr (err).
  struct Files {
    int in;
    int out;
    int err;
    bool inherit = true;  ///< false: nothing else of ours is open there, not even what we inherited
  };

  /// What is different from us.
  struct Manner {
    bool own_group = true;  ///< false: it stays in ours; signal() is to the process alone then
    int nice = 0;           ///< is added to ours
    /// In memory that is shared with a process that ends it when we have died: it enters its
    /// process id there before its program starts. Null: there is no such process.
    std::atomic<pid_t>* entry = nullptr;
    int kept = -1;  ///< a file of ours that is open there, too, under its number; -1: none
  };

  /// `program` is a path. Errors: the system's, of starting or of the program (no such file, …).
  [[nodiscard]] static tl::expected<Child, std::error_code> start(
      const std::string& program, std::span<const std::string> arguments, Files files,
      Manner manner);
  [[nodiscard]] static tl::expected<Child, std::error_code> start(
      const std::string& program, std::span<const std::string> arguments, Files files) {
    return start(program, arguments, files, Manner{});
  }

  Child(Child&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        file_(std::move(other.file_)),
        own_group_(other.own_group_),
        descendants_(std::move(other.descendants_)) {}
  Child& operator=(Child&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(file_, other.file_);
    std::swap(own_group_, other.own_group_);
    std::swap(descendants_, other.descendants_);
    return *this;
  }
  /// Kills the group if it was not seen to end.
  ~Child();

  /// Its process id.
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Becomes readable when the process has ended.
  [[nodiscard]] int file() const { return file_.get(); }
  /// The signal that has stopped it since the last call; 0: none.
  [[nodiscard]] int stopped_by() const;
  /// To the whole group.
  void signal(int signal) const;
  /// To the group and to descendants in other groups, which are all stopped first, so that none can
  /// start a process and end unseen. They continue then, unless the signal is SIGSTOP. Children of
  /// a process that ended before the first call are not reached.
  ///
  /// Cost: some ten system calls per process.
  void signal_all(int signal);
  /// How it ended; nothing: it has not. The group is out of reach when it has; file() stays open
  /// until this object is gone, so that it can leave an EventSet first.
  [[nodiscard]] std::optional<Ending> ended();
  /// Waits until it has ended. Requires: neither has said so before.
  Ending wait();

 private:
  Child(pid_t pid, int file, bool own_group) : pid_(pid), file_(file), own_group_(own_group) {}
  std::optional<Ending> reap(int options);
  void stop_all();
  void find_children(int parent);
  void signal_descendants(int signal, std::size_t from) const;

  struct Descendant {
    pid_t pid = 0;
    unsigned long long started = 0;  // another process may have the pid later
    bool operator==(const Descendant&) const = default;
  };

  pid_t pid_;  // -1: has ended
  file::OpenFile file_;
  bool own_group_;
  std::vector<Descendant> descendants_;  // that signal_all() has seen
};

/// The path of the program that a shell would run for `name`: itself if it has a slash, else the
/// first executable of that name in $PATH. Errors: no such file, or none that may be run.
[[nodiscard]] tl::expected<std::string, std::error_code> find_program(const std::string& name);

}  // namespace artel::command
