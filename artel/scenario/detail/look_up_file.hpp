#pragma once

#include <filesystem>

#include "artel/dispatch/policy_table.hpp"

namespace artel::scenario::detail {

/// Has the parameter `file` of a policy, if it is there, start from that folder. Returns where it
/// is then; else an empty path.
std::filesystem::path look_up_file(dispatch::Parameters& parameters,
                                   const std::filesystem::path& folder);

}  // namespace artel::scenario::detail
