#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cluster_flag_options.hpp"
#include "app/cluster_report.hpp"
#include "app/cluster_scale.hpp"
#include "app/cluster_up.hpp"
#include "app/cluster_workers.hpp"
#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/output_options.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remove_pool.hpp"
#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/write_file.hpp"

namespace artel::app {
namespace {

constexpr const char* kServers =
    "Servers: nats://host:port[,…], tls://…, or the operator's folder of a pool";

struct ClusterCommand {
  cluster::ClusterFlags cluster;
  OutputOptions output;
  std::string window = "1s";
};

// Errors of the connection are failures of the work: what was asked for made sense.
cluster::Connection connect(cluster::ClusterFlags& flags) {
  if (const auto taken = take_folder(flags); !taken) refuse(taken.error());
  if (flags.local()) {
    refuse({ErrorCode::invalid, "a local cluster is gone with the command that it belongs to",
            "--cluster"});
  }
  const auto options = cluster_options(flags);
  if (!options) refuse(options.error());
  auto connection = cluster::Connection::connect(*options);
  if (!connection) refuse(connection.error(), ExitStatus::failed);
  if (const auto there = connection->require_jetstream(); !there) {
    refuse(there.error(), ExitStatus::failed);
  }
  return *std::move(connection);
}

void show_status(ClusterCommand& command) {
  const auto window = parse_duration(command.window);
  if (!window || *window <= Duration{} || *window > std::chrono::minutes(10)) {
    refuse({ErrorCode::invalid,
            fmt::format("'{}' is not a time between 0 and 10min", command.window), "--window"});
  }
  const auto connection = connect(command.cluster);
  const auto status = cluster::pool_status(connection, command.cluster.pool, *window);
  if (!status) refuse(status.error(), ExitStatus::failed);
  write_result(command.output, command.output.json ? status_json(*status) : status_table(*status));
}

constexpr const char* kStatusFooter =
    R"(A worker runs, and keeps waiting, chunks: as many items as whoever sent them saw fit, one of
'artel map'. Returned: handed back for another try, or when it left.

Examples:
  artel cluster status --cluster nats://broker:4222
  artel cluster status --cluster tls://broker --tls-ca ca.pem --user ann --json
)";

void add_status(Subcommand cluster) {
  auto command =
      cluster.subcommand("status", "Workers, what they do, what waits for them, dead letters");
  const auto options = std::make_shared<ClusterCommand>();
  add_json_option(command, options->output, "As JSON (schema artel.cluster.status/1)");
  command.option("--window", options->window, "Rates are over this time")
      .type_name("TIME")
      .show_default();
  add_flags(command, flag_specs(options->cluster, kServers));
  command.footer(kStatusFooter);
  command.action([options] { show_status(*options); });
}

struct DeadCommand {
  cluster::ClusterFlags cluster;
  std::vector<std::uint64_t> numbers;
  bool requeue = false;
  bool discard = false;
  OutputOptions output;
};

// Those that were asked for, or all.
std::vector<cluster::GivenUpChunk> chosen(std::vector<cluster::GivenUpChunk> chunks,
                                          const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return chunks;
  for (const auto number : numbers) {
    if (std::ranges::find(chunks, number, &cluster::GivenUpChunk::number) == chunks.end()) {
      refuse({ErrorCode::not_found, fmt::format("there is no dead letter {}", number),
              "artel cluster dead"});
    }
  }
  std::erase_if(chunks, [&](const cluster::GivenUpChunk& chunk) {
    return std::ranges::find(numbers, chunk.number) == numbers.end();
  });
  return chunks;
}

void show_dead(DeadCommand& command) {
  const auto connection = connect(command.cluster);
  const cluster::Subjects subjects(command.cluster.pool);
  auto all = cluster::dead_letters(connection, subjects);
  if (!all) refuse(all.error(), ExitStatus::failed);
  const auto chunks = chosen(*std::move(all), command.numbers);
  write_result(command.output, command.output.json ? dead_json(chunks) : dead_table(chunks));
  if (!command.requeue && !command.discard) return;
  std::size_t count = 0;
  std::optional<Error> kept;  // one that stays does not keep the others
  const auto deal_with = [&](const cluster::GivenUpChunk& chunk) -> Result<void> {
    if (!command.requeue) return cluster::discard(connection, subjects, chunk);
    if (command.numbers.empty() && is_old(chunk)) {
      return fail(
          ErrorCode::unsupported,
          fmt::format("dead letter {} was sent more than {} h before it was given up, as an "
                      "old order is that somebody has put there once more; to requeue it, "
                      "give its number",
                      chunk.number, cluster::kOldOrderSeconds / 3600));
    }
    return cluster::requeue(connection, subjects, chunk);
  };
  for (const auto& chunk : chunks) {
    const auto done = deal_with(chunk);
    if (done) {
      ++count;
    } else if (done.error().code == ErrorCode::unsupported) {
      if (kept) fmt::print(stderr, "artel: {}\n", to_string(*kept));
      kept = done.error();
    } else {
      refuse(done.error(), ExitStatus::failed);
    }
  }
  fmt::print(stderr, "artel: {} {}\n", command.requeue ? "requeued" : "discarded", count);
  if (kept) refuse(*kept, ExitStatus::failed);
}

constexpr const char* kDeadFooter =
    R"(A master that gave up a chunk has said so and stopped waiting, as a rule: the result of one
that is requeued is for what the function does besides. It is sent as its master has signed it; look
at its command before. What stays, with exit status 1: what no master of the pool has signed
(--master-keys, in the operator's folder); without numbers, what was sent days before it was given up;
and chunks whose items were larger than a message of the server, as these never were in the queue.

Examples:
  artel cluster dead --cluster nats://broker:4222
  artel cluster dead --cluster nats://broker:4222 --requeue 17 19
)";

void add_dead(Subcommand cluster) {
  auto command =
      cluster.subcommand("dead", "What was given up: the function threw, or the worker died");
  const auto options = std::make_shared<DeadCommand>();
  command.option("numbers", options->numbers, "Only these").type_name("NUMBER");
  const auto requeue =
      command.flag("--requeue", options->requeue,
                   "Put them back into the queue, with all their tries; those whose "
                   "items were larger than a message cannot be");
  command.flag("--discard", options->discard, "Forget them").excludes(requeue);
  add_json_option(command, options->output, "As JSON (schema artel.cluster.dead/1)");
  add_flags(command, flag_specs(options->cluster, kServers));
  command.footer(kDeadFooter);
  command.action([options] { show_dead(*options); });
}

struct RemoveCommand {
  cluster::ClusterFlags cluster;
  std::string pool;
  bool force = false;
};

void remove(RemoveCommand& command) {
  using cluster::WhatWaits;
  std::string& pool = command.cluster.pool;
  if (const auto taken = take_folder(command.cluster); !taken) refuse(taken.error());
  if (!command.pool.empty()) {
    if (pool != command.pool && pool != cluster::ClusterFlags{}.pool) {
      refuse({ErrorCode::invalid,
              fmt::format("pool '{}', or '{}'? It is named twice", command.pool, pool),
              "artel cluster remove"});
    }
    pool = command.pool;
  }
  const auto connection = connect(command.cluster);
  const auto removed = cluster::remove_pool(connection, command.cluster.pool,
                                            command.force ? WhatWaits::remove : WhatWaits::keep);
  if (!removed) {
    auto error = removed.error();
    if (error.code == ErrorCode::full) error.what += "; --force removes them, too";
    refuse(error, ExitStatus::failed);
  }
  fmt::print(stderr, "artel: removed pool '{}', with {} and {}\n", command.cluster.pool,
             how_many(removed->chunks, "chunk"), how_many(removed->dead_letters, "dead letter"));
}

constexpr const char* kRemoveFooter =
    R"(Masters make it anew, with their own settings, and its workers find it.

Examples:
  artel cluster remove films --cluster nats://broker:4222
  artel cluster remove --cluster ./films/operator --force
)";

void add_remove(Subcommand cluster) {
  auto command = cluster.subcommand("remove", "Remove what the server keeps of a pool");
  const auto options = std::make_shared<RemoveCommand>();
  command.option("pool", options->pool, "Which; as --pool").type_name("POOL");
  command.flag("--force", options->force, "Though chunks wait there, or dead letters");
  add_flags(command, flag_specs(options->cluster, kServers));
  command.footer(kRemoveFooter);
  command.action([options] { remove(*options); });
}

struct KeyCommand {
  std::string file;
};

void make_key(const KeyCommand& command) {
  const auto seed = cluster::make_seed();
  if (!seed) refuse(seed.error(), ExitStatus::failed);
  const auto written =
      file::write_file(command.file, seed->reveal() + "\n", {.owner_only = true, .replace = false});
  if (!written) refuse(written.error(), ExitStatus::failed);
  const auto open = cluster::public_key_of(*seed);
  if (!open) refuse(open.error(), ExitStatus::failed);
  fmt::print("{}\n", *open);
}

constexpr const char* kKeyFooter =
    R"(The secret half is written to FILE, for --sign-key, and nobody else can read it; there must be no
such file yet. The public half is printed: put it into the file that others name by --trusted-keys,
a line for each.

Examples:
  artel cluster key ann.key >>masters.pub
)";

void add_key(Subcommand cluster) {
  auto command = cluster.subcommand("key", "Make a key to sign orders, or results, with");
  const auto options = std::make_shared<KeyCommand>();
  command.option("file", options->file, "Where the secret half goes").type_name("FILE").required();
  command.footer(kKeyFooter);
  command.action([options] { make_key(*options); });
}

constexpr const char* kClusterFooter = R"(Examples:
  artel cluster up --hosts :,lab7,lab9 --ssh
  artel cluster scale --cluster ./films/operator --policy 'hpa(target=0.7)' --max 8 \
    -- --cluster ./films/worker --allow-commands
  artel cluster status --cluster nats://broker:4222
  artel cluster dead --cluster nats://broker:4222 --requeue
)";

}  // namespace

void add_cluster(Subcommand artel, std::vector<std::string> worker) {
  auto command = artel.subcommand("cluster", "Start a cluster of workers, and look after it");
  command.footer(kClusterFooter);
  add_up_and_down(command);
  add_scale(command, std::move(worker));
  add_status(command);
  add_dead(command);
  add_remove(command);
  add_key(command);
  add_cluster_workers(command);
}

}  // namespace artel::app
