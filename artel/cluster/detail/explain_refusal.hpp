#pragma once

#include <nats/status.h>

#include <string>

#include "artel/cluster/cluster_options.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// Why there is no connection, and what to do.
[[nodiscard]] std::string explain_refusal(natsStatus status, const ClusterOptions& options);

[[nodiscard]] ErrorCode engine_code(natsStatus status);

/// The engine's own words for the last failure of this thread, if they belong to `status`, without
/// its "(file:line): ".
[[nodiscard]] std::string engine_reason(natsStatus status);

}  // namespace artel::cluster::detail
