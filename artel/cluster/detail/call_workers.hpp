#pragma once

#include <functional>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// Lets all workers report at once. The first answer is waited for, if there is any, and then until
/// no other has come for a while: a map that begins now sees how many there are.
[[nodiscard]] Result<void> call_workers(const Connection& connection, const Subjects& subjects,
                                        const std::function<void(const Message&)>& report_came);

}  // namespace artel::cluster::detail
