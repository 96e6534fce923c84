#pragma once

#include <string_view>

#include "artel/dispatch/stealing.hpp"

namespace artel::scenario {

/// What scenarios call it: "none", "before_common" or "after_common".
[[nodiscard]] std::string_view stealing_word(dispatch::Stealing stealing);

/// The stealing of that word; none if there is no such word.
[[nodiscard]] dispatch::Stealing stealing_of(std::string_view word);

}  // namespace artel::scenario
