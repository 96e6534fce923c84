#pragma once

#include <filesystem>
#include <vector>

#include "artel/core/error.hpp"
#include "tests/verify/check.hpp"

namespace artel::verify {

/// Scenarios without chance, worked out elsewhere: the rows of by_hand.csv in that folder, whose
/// scenarios are in by_hand/. The last digit but a few has to be right.
/// Errors: file, line and what is wrong with it.
[[nodiscard]] Result<std::vector<Check>> by_hand_checks(const std::filesystem::path& folder);

/// A cache that has room for one of two equally likely prompts, so that every other task takes half
/// the time, each by itself: Pollaczek-Khinchine.
[[nodiscard]] Check one_prompt_kept(double load, unsigned jobs);

}  // namespace artel::verify
