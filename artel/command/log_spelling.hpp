#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::command {

/// The words of a command as a job log has them, on one line without tabs: as bash quotes them,
/// with $'…' for a word that has control characters.
[[nodiscard]] std::string log_spelling(std::span<const std::string> words);

/// The words again, whatever their bytes: no shell reads them. Strict: what log_spelling() does not
/// write, as a variable or a pipe of a log of GNU parallel, is refused.
/// Errors: parse, without a place: what was found, at which column of the text.
[[nodiscard]] Result<std::vector<std::string>> parse_log_spelling(std::string_view text);

}  // namespace artel::command
