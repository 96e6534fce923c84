#pragma once

#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// Takes the flock() of a file alone. False: another process has had it for `most`. A file that
/// cannot be locked (on some network file systems) counts as locked.
[[nodiscard]] bool lock_file(int file, Duration most);

}  // namespace artel::command::detail
