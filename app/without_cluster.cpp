// In the place of all that needs component cluster.
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/left_out.hpp"
#include "app/map_cluster.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

void add_worker(Subcommand artel) { add_left_out(artel, "worker", "cluster"); }
// NOLINTNEXTLINE(performance-unnecessary-value-param): as the one that keeps it
void add_cluster(Subcommand artel, std::vector<std::string> /*command*/) {
  add_left_out(artel, "cluster", "cluster");
}

struct MapCluster::Flags {
  std::string servers;
};

MapCluster::MapCluster() : flags_(std::make_shared<Flags>()) {}

void MapCluster::add_options(Subcommand command) {
  add_left_out_option(command, "--cluster", flags_->servers, "cluster");
}

bool MapCluster::asked() const {
  if (!flags_->servers.empty()) refuse(left_out("cluster", "--cluster"));
  return false;
}

Result<void> MapCluster::check(const command::JobLoopOptions& /*options*/,
                               const command::CommandTemplate& /*command*/) const {
  return {};
}

Result<command::RunSummary> MapCluster::run(const command::CommandTemplate& /*command*/,
                                            command::InputItems& /*items*/,
                                            const command::JobLoopOptions& /*options*/) const {
  return tl::unexpected(left_out("cluster", "--cluster"));
}

}  // namespace artel::app
