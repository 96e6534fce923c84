#pragma once

#include <string>

namespace artel::cluster::detail {

/// "host-pid-4a1f09c2": a token of subjects, no other worker of this process has it, nor one after
/// a restart with the same pid. Any thread may call it.
[[nodiscard]] std::string new_worker_id();

/// Of this machine; "unknown" if it has none.
[[nodiscard]] std::string host_name();

}  // namespace artel::cluster::detail
