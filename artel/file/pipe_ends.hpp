#pragma once

#include <system_error>
#include <tl/expected.hpp>

#include "artel/file/open_file.hpp"

namespace artel::file {

/// The two ends of a pipe. Programs that are started do not inherit them.
struct PipeEnds {
  OpenFile read;   ///< what was written comes out here
  OpenFile write;  ///< in here
};

/// A new one. Errors: the system's. Threads: any.
[[nodiscard]] tl::expected<PipeEnds, std::error_code> make_pipe();

}  // namespace artel::file
