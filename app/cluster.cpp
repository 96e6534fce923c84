#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "app/cluster_report.hpp"
#include "app/command.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/status.hpp"
#include "artel/error/error.hpp"
#include "artel/report/output_file.hpp"
#include "artel/unit/instant.hpp"

namespace artel::app {
namespace {

struct ClusterCommand {
  cluster::ClusterFlags cluster;
  bool json = false;
  std::string window = "1s";
};

[[noreturn]] void refuse(const Error& error, ExitStatus status) {
  print_errors({error});
  finish(status);
}

// Errors of the connection are failures of the work: what was asked for made sense.
cluster::Connection connect(const cluster::ClusterFlags& flags) {
  if (flags.local()) {
    refuse({ErrorCode::invalid, "a local cluster is gone with the command that it belongs to",
            "--cluster"},
           ExitStatus::bad_input);
  }
  const auto options = cluster_options(flags);
  if (!options) refuse(options.error(), ExitStatus::bad_input);
  auto connection = cluster::Connection::connect(*options);
  if (!connection) refuse(connection.error(), ExitStatus::failed);
  if (const auto there = connection->require_jetstream(); !there) {
    refuse(there.error(), ExitStatus::failed);
  }
  return *std::move(connection);
}

void print(const std::string& text) {
  if (const auto written = report::write_stdout(text); !written) {
    refuse(written.error(), ExitStatus::bad_input);
  }
}

void show_status(const ClusterCommand& command) {
  const auto window = parse_duration(command.window);
  if (!window || *window <= Duration{} || *window > std::chrono::minutes(10)) {
    refuse({ErrorCode::invalid,
            fmt::format("'{}' is not a time between 0 and 10min", command.window), "--window"},
           ExitStatus::bad_input);
  }
  const auto connection = connect(command.cluster);
  const auto status = cluster::pool_status(connection, command.cluster.pool, *window);
  if (!status) refuse(status.error(), ExitStatus::failed);
  print(command.json ? status_json(*status) : status_table(*status));
}

void add_status(CLI::App& cluster) {
  auto& command =
      *cluster.add_subcommand("status", "Workers, what they do, what waits for them, dead letters");
  const auto options = std::make_shared<ClusterCommand>();
  command.add_flag("--json", options->json, "As JSON (schema artel.cluster.status/1)");
  command.add_option("--window", options->window, "Rates are over this time")
      ->type_name("TIME")
      ->capture_default_str();
  add_cluster_flags(command, options->cluster, "Servers: nats://host:port[,…], or tls://…");
  command.footer(
      "A worker runs, and keeps waiting, chunks: as many items as whoever sent them saw fit, one "
      "of\n"
      "'artel map'. Returned: handed back for another try, or when it left.\n\n"
      "Examples:\n"
      "  artel cluster status --cluster nats://broker:4222\n"
      "  artel cluster status --cluster tls://broker --tls-ca ca.pem --user ann --json\n");
  command.callback([options] { show_status(*options); });
}

}  // namespace

void add_cluster(CLI::App& artel) {
  auto& command = *artel.add_subcommand("cluster", "Look after a cluster of workers");
  command.require_subcommand(1);
  add_status(command);
}

}  // namespace artel::app
