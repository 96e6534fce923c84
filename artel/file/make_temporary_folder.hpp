#pragma once

#include <filesystem>
#include <string_view>

#include "artel/core/error.hpp"

namespace artel::file {

/// A new folder for its owner alone, `prefix` and six characters: in `parent`, or else where
/// $TMPDIR says, or in /tmp. It stays until somebody removes it. Errors: io, with the reason.
/// Threads: any.
[[nodiscard]] Result<std::filesystem::path> make_temporary_folder(
    std::string_view prefix, const std::filesystem::path& parent = {});

}  // namespace artel::file
