#pragma once

#include <string>

#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"

namespace artel::cluster {

/// An event or action of the protocol's machines in a line, for transcripts: "send j.3.0 to S_f".
[[nodiscard]] std::string in_words(const MasterEvent& event);
[[nodiscard]] std::string in_words(const MasterAction& action);
[[nodiscard]] std::string in_words(const WorkerEvent& event);
[[nodiscard]] std::string in_words(const WorkerAction& action);

}  // namespace artel::cluster
