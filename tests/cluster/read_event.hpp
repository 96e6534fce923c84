#pragma once

#include <string>

#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/worker_event.hpp"

namespace artel::cluster {

/// An event as transcripts have it: what in_words() says, or less. Throws std::invalid_argument.
[[nodiscard]] MasterEvent read_master_event(const std::string& words);
[[nodiscard]] WorkerEvent read_worker_event(const std::string& words);

}  // namespace artel::cluster
