#pragma once

#include <string>

namespace artel::cluster::detail {

/// "host-pid-4a1f": a token of subjects, and not the same after a restart with the same pid.
[[nodiscard]] std::string new_worker_id();

/// Of this machine; "unknown" if it has none.
[[nodiscard]] std::string host_name();

}  // namespace artel::cluster::detail
