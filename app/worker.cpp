#include <memory>
#include <string>

#include "app/cluster_flag_options.hpp"
#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/command_task.hpp"
#include "app/metrics.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/run_worker.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"

namespace artel::app {
namespace {

struct WorkerCommand {
  cluster::WorkerFlags worker;
  bool allow_commands = false;
  bool allow_unsigned = false;
  std::string metrics;
};

constexpr const char* kWorkerFooter =
    R"(Commands run in this folder, with this environment but for ARTEL_CLUSTER_PASSWORD and
ARTEL_CLUSTER_TOKEN. They must be signed by somebody whose key is in --trusted-keys (artel cluster
key); --allow-unsigned runs those of whoever can reach the server and may publish there.
SIGTERM or Ctrl-C: what has begun is finished, what waits goes to other workers; the second
one hands back what has begun, too. A worker that is killed loses nothing: what it had goes
to others when its lease ends.

Exit status: 0 left as asked; 1 no connection; 2 bad arguments.

Examples:
  artel worker --cluster ./films/worker --allow-commands --metrics :9464
  artel worker --cluster tls://broker --tls-ca ca.pem --token-file token -j 4 --allow-commands \
    --trusted-keys masters.pub
)";

}  // namespace

void add_worker(Subcommand artel) {
  auto command = artel.subcommand(
      "worker", "Work for a cluster: run the commands that 'artel map --cluster' sends");
  const auto options = std::make_shared<WorkerCommand>();
  add_flags(command, flag_specs(options->worker));
  command.flag("--allow-commands", options->allow_commands,
               "Run commands: whoever may send tasks can do here what you can");
  command.flag("--allow-unsigned", options->allow_unsigned,
               "With --allow-commands: also of those who do not sign");
  add_metrics_option(command, options->metrics);
  command.footer(kWorkerFooter);
  command.action([options] {
    if (const auto taken = take_folder(options->worker.cluster); !taken) refuse(taken.error());
    if (!options->allow_commands) {
      refuse({ErrorCode::invalid,
              "whoever may send tasks can do here what you can: say so (--allow-commands)",
              "artel worker"});
    }
    const auto& flags = options->worker.cluster;
    if (!options->allow_unsigned && flags.trusted_keys.empty() && flags.master_keys.empty()) {
      refuse({ErrorCode::invalid,
              "whose commands? Name the keys of those who may send some (--trusted-keys FILE; "
              "'artel cluster key' makes one), or let everybody whom the server lets in "
              "(--allow-unsigned)",
              "--allow-commands"});
    }
    cluster::register_task<CommandTask>();
    finish(cluster::run_worker(options->worker, [&](const cluster::WorkerNode& node) {
      return serve_metrics(options->metrics, [&node, pool = options->worker.cluster.pool] {
        return worker_metrics(node.report(), pool);
      });
    }));
  });
}

}  // namespace artel::app
