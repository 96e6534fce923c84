#pragma once

#include <string>

#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::file {

/// A new empty file without a name, to be written and read, so that nothing of it outlives who
/// holds it: where $TMPDIR says, or in /tmp. Programs that are started do not inherit it.
/// Errors: io, with the folder and the system's reason. Threads: any.
[[nodiscard]] Result<OpenFile> nameless_file();

/// Where it is made: $TMPDIR, or /tmp.
[[nodiscard]] std::string nameless_file_folder();

}  // namespace artel::file
