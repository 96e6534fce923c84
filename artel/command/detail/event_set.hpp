#pragma once

#include <cstdint>
#include <system_error>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command::detail {

/// Files to wait for, each with a key (epoll).
///
/// A file must leave before it is closed: the system forgets it only when nobody has it open any
/// more, and a process that is just being started has, for a moment, all that we have.
///
/// Threads: one at a time.
class EventSet {
 public:
  EventSet();
  /// Why the system has given no file for it: then nothing can be waited for. Zero: it has.
  [[nodiscard]] std::error_code failure() const { return failure_; }

  /// Readable, until it is removed.
  void add(int file, std::uint64_t key) const;
  void remove(int file) const;
  enum class Until : std::uint8_t { readable, writable };
  /// Once, until asked again. False: such a file is always ready.
  [[nodiscard]] bool add_once(int file, std::uint64_t key, Until until) const;

  /// Keys of the files that are ready; waits for the first, at most so long.
  [[nodiscard]] const std::vector<std::uint64_t>& wait(Duration most);

 private:
  file::OpenFile file_;
  std::error_code failure_;
  std::vector<std::uint64_t> ready_;
};

}  // namespace artel::command::detail
