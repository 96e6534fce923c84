#pragma once

#include <cstdint>
#include <optional>

#include "artel/cluster/detail/subscription.hpp"

namespace artel::cluster::detail {

/// Which message of the queue the server has delivered as often as it may, by what it says on
/// Subjects::given_up(). Nothing: it says something else.
[[nodiscard]] std::optional<std::uint64_t> given_up_number(const Message& advisory);

}  // namespace artel::cluster::detail
