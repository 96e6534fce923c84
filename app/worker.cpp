#include <memory>

#include "app/command.hpp"
#include "app/command_task.hpp"
#include "app/replication_task.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/worker_command.hpp"

namespace artel::app {
namespace {

struct WorkerCommand {
  cluster::WorkerFlags worker;
  bool allow_commands = false;
};

}  // namespace

void add_worker(CLI::App& artel) {
  auto& command = *artel.add_subcommand(
      "worker", "Work for a cluster: run what 'artel map --cluster' and others send");
  const auto options = std::make_shared<WorkerCommand>();
  add_worker_flags(command, options->worker);
  command.add_flag("--allow-commands", options->allow_commands,
                   "Also run commands: whoever may send tasks can do here what you can");
  command.footer(
      "Without --allow-commands it runs simulations alone. Commands run in this folder, with this\n"
      "environment but for ARTEL_CLUSTER_PASSWORD and ARTEL_CLUSTER_TOKEN.\n"
      "SIGTERM or Ctrl-C: what has begun is finished, what waits goes to other workers; the "
      "second\n"
      "one hands back what has begun, too. A worker that is killed loses nothing: what it had "
      "goes\n"
      "to others when its lease ends.\n\n"
      "Exit status: 0 left as asked; 1 no connection; 2 bad arguments.\n\n"
      "Examples:\n"
      "  artel worker --cluster nats://broker:4222\n"
      "  artel worker --cluster tls://broker --tls-ca ca.pem --token-file token -j 4 "
      "--allow-commands\n");
  command.callback([options] {
    cluster::register_task<ReplicationTask>();
    if (options->allow_commands) cluster::register_task<CommandTask>();
    throw CLI::RuntimeError(cluster::run_worker(options->worker));
  });
}

}  // namespace artel::app
