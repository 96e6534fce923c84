#include "artel/command/detail/lock_file.hpp"

#include <poll.h>
#include <sys/file.h>

#include <cerrno>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::command::detail {

bool lock_file(int file, Duration most) {
  constexpr int kLookMs = 10;
  const Instant end = later(steady_now(), most);
  while (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (steady_now() >= end) return false;
    ::poll(nullptr, 0, kLookMs);
  }
  return true;
}

}  // namespace artel::command::detail
