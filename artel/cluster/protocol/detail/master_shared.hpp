#pragma once

#include <memory>
#include <string>
#include <utility>

#include "artel/cluster/protocol/detail/own_queues.hpp"
#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/server_link.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// What the jobs of a master share.
struct MasterShared {
  QueueOptions options;
  std::string reply;  ///< where results are wanted
  Roster roster;
  Instant now{};            ///< of this step …
  MasterActions actions{};  ///< … and what it wants done
  ServerLink link{};
  std::unique_ptr<OwnQueues> own{};  ///< null without a policy

  void act(MasterAction action) { actions.push_back(std::move(action)); }
};

}  // namespace artel::cluster::detail
