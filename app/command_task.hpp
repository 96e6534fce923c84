#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/run_command.hpp"

namespace artel::app {

/// The task of `artel map --cluster`. Workers know it only if they were started with
/// --allow-commands, so it is not an ARTEL_TASK, which every worker has.
struct CommandTask {
  static constexpr std::string_view kName = "artel.command";
  static constexpr std::uint32_t kVersion = 1;
  static cluster::CommandOutcome call(const cluster::CommandOrder& order) {
    return cluster::run_command(order, stop_source().get_token());
  }
  /// Ends the commands that this process runs, and all it is asked to run from now on.
  static void stop_all() { stop_source().request_stop(); }

 private:
  static std::stop_source& stop_source() {
    static std::stop_source source;
    return source;
  }
};

inline constexpr cluster::RemoteTask<CommandTask> kCommandTask{};

}  // namespace artel::app
