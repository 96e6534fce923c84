#pragma once

#include <cstddef>
#include <string>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// Removes from the queue what masters have left that are not there any more: chunks whose results
/// nobody is subscribed to. What somebody has requeued by hand stays. Returns how many it were.
///
/// A master that is only cut off at this moment issues its chunks again when it is back.
/// Cost:    a question to the server for every job, and two for every chunk that is removed.
/// Errors:  the connection's; a missing permission.
[[nodiscard]] Result<std::size_t> clear_after_dead_masters(const Connection& connection,
                                                           const Subjects& subjects);

/// Removes all that masters have sent of this job, message by message: a purge by subject would, on
/// servers before 2.9.12, take everybody's place in the queue from what waits there.
/// Cost and errors: likewise.
[[nodiscard]] Result<void> sweep_job(const Connection& connection, const Subjects& subjects,
                                     const std::string& job);

}  // namespace artel::cluster::detail
