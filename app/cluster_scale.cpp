#include "app/cluster_scale.hpp"

#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cluster_flag_options.hpp"
#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/fleet_scaling.hpp"
#include "app/scale_loop.hpp"
#include "app/stop_signals.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/command/child.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::app {
namespace {

constexpr std::size_t kProcessesMax = 1000;

struct ScaleCommand {
  std::string policy;
  std::optional<std::uint32_t> min;
  std::optional<std::uint32_t> max;
  std::uint32_t jobs = 1;
  cluster::ClusterFlags cluster;
  std::vector<std::string> worker;  // what stands behind `--`
};

FleetScaling scaling_of(const ScaleCommand& command) {
  const std::uint32_t fitting = std::max(1U, usable_cpus() / command.jobs);
  auto scaling = read_fleet_scaling({.policy = command.policy,
                                     .workers_max = command.max.value_or(fitting),
                                     .slots = command.jobs});
  if (!scaling) refuse({scaling.error().code, scaling.error().what, "--policy " + command.policy});
  auto& limits = scaling->limits;
  limits = {.min = command.min.value_or(limits.min), .max = command.max.value_or(limits.max)};
  if (limits.max > kProcessesMax) {
    refuse({ErrorCode::invalid,
            fmt::format("max: found {}, allowed: 1 to {}", limits.max, kProcessesMax),
            "artel cluster scale"});
  }
  if (const auto good = scaling::check(scaling->policy, limits); !good) refuse(good.error());
  return *std::move(scaling);
}

// The flags of ours that say something, as words.
std::vector<std::string> access_words(cluster::ClusterFlags flags) {
  cluster::ClusterFlags initial;
  const auto said = flag_specs(flags, "");
  const auto unsaid = flag_specs(initial, "");
  std::vector<std::string> words;
  for (std::size_t i = 0; i < said.size(); ++i) {
    const auto& value = *std::get<std::string*>(said[i].value);
    if (value == *std::get<std::string*>(unsaid[i].value)) continue;
    words.push_back(said[i].names);
    words.push_back(value);
  }
  return words;
}

// The command of each worker: artel's own, or the program that is named, with our way to the
// cluster unless it is given another one.
ScaledFleet fleet_of(const ScaleCommand& command) {
  ScaledFleet fleet{.scaling = scaling_of(command), .program = {}, .words = {}};
  const auto& given = command.worker;
  const bool own_program = !given.empty() && !given.front().starts_with('-');
  if (own_program) {
    const auto program = command::find_program(given.front());
    if (!program) {
      refuse({ErrorCode::not_found, program.error().message(), given.front()});
    }
    fleet.program = *program;
    fleet.words = {given.front()};
  } else {
    fleet.program = std::filesystem::read_symlink("/proc/self/exe").string();
    fleet.words = {"artel", "worker"};
  }
  const bool own_access = std::ranges::any_of(given, [](const std::string& word) {
    return word == "--cluster" || word.starts_with("--cluster=");
  });
  const auto add = [&](const std::vector<std::string>& words) {
    fleet.words.insert(fleet.words.end(), words.begin(), words.end());
  };
  if (!own_access) add(access_words(command.cluster));
  add({given.begin() + (own_program ? 1 : 0), given.end()});
  add({"-j", fmt::format("{}", command.jobs)});
  return fleet;
}

// Reading the options takes the secrets out of the environment; here nothing is started but
// workers, which need them and take them out of theirs.
class SecretsKept {
 public:
  SecretsKept() {
    for (const char* name : {"ARTEL_CLUSTER_PASSWORD", "ARTEL_CLUSTER_TOKEN"}) {
      if (const char* value = std::getenv(name); value != nullptr) kept_.emplace_back(name, value);
    }
  }
  // Requires: no other thread has started.
  void put_back() const {
    for (const auto& [name, value] : kept_) ::setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  std::vector<std::pair<std::string, std::string>> kept_;
};

[[noreturn]] void scale(const ScaleCommand& command) {
  auto fleet = fleet_of(command);
  if (command.cluster.local()) {
    refuse({ErrorCode::invalid, "a local cluster is gone with the command that it belongs to",
            "--cluster"});
  }
  const SecretsKept secrets;
  const auto options = cluster_options(command.cluster);
  if (!options) refuse(options.error());
  secrets.put_back();
  StopSignals signals;
  std::atomic<bool> shut = false;
  const auto tell = [](const Error& error) { fmt::print(stderr, "artel: {}\n", to_string(error)); };
  const auto connection =
      cluster::Connection::connect(*options, {.problem = tell, .shut = [&](const Error& error) {
                                                tell(error);
                                                shut = true;
                                              }});
  if (!connection) refuse(connection.error(), ExitStatus::failed);
  if (const auto there = connection->require_jetstream(); !there)
    refuse(there.error(), ExitStatus::failed);
  auto looks = cluster::PoolLooks::prepare(*connection, options->pool);
  if (!looks) refuse(looks.error(), ExitStatus::failed);
  const auto first = looks->look();
  if (!first) refuse(first.error(), ExitStatus::failed);
  const auto& [policy, limits] = fleet.scaling;
  fmt::print(stderr, "artel: {} to {} workers of pool '{}' at {}, by {}; {} at once each\n",
             limits.min, limits.max, options->pool, connection->servers(), scaling::name(policy),
             command.jobs);
  ScaleLoop loop(std::move(fleet), *first, *std::move(looks), signals, shut);
  const int status = loop.run();
  if (status > 128) ::_exit(status);  // at once: a look may still be waiting for its server
  finish(status);
}

constexpr const char* kScaleFooter =
    R"(Behind -- stands what each worker is given, as of 'artel worker'; or a worker program of your own
and what it is given. The way to the cluster is ours, unless there is another --cluster.
POLICY has the keys of [pool.scaling] of a scenario; targets are of one worker. It looks at what waits
in the pool and at the workers that it has started here. Workers that go finish what they have begun,
and count within --max until then; one that dies is started again, after a pause.
SIGTERM or Ctrl-C: all workers finish what they have begun; the second one: they hand it back.

Exit status: 0 left as asked; 1 no connection; 2 bad arguments, a worker's too.

Examples:
  artel cluster scale --cluster ./films/operator --policy 'keda(target=4, cooldown=1min)' --min 0 \
    -- --cluster ./films/worker --allow-commands
  artel cluster scale --cluster nats://broker --policy 'hpa(target=0.7, period=5s)' --max 8 \
    -- ./my-worker
)";

}  // namespace

void add_scale(Subcommand cluster, std::vector<std::string> worker) {
  auto command =
      cluster.subcommand("scale", "Start and end workers here, as a scaling policy says");
  command.usage("artel cluster scale [OPTIONS] [-- WORKER-OPTIONS]");
  const auto options = std::make_shared<ScaleCommand>();
  options->worker = std::move(worker);
  command
      .option("--policy", options->policy,
              "How many: hpa, keda, knative, timetable or predictive, with keys: 'hpa(target=0.7)'")
      .type_name("POLICY")
      .suggest({"hpa", "keda", "knative", "timetable", "predictive"})
      .required();
  command.option("--min", options->min, "Fewest workers; default: as POLICY says, or 1")
      .range(std::size_t{0}, kProcessesMax);
  command
      .option("--max", options->max,
              "Most workers; default: as POLICY says, or one per -j usable processors")
      .range(std::size_t{1}, kProcessesMax);
  command.option("-j,--jobs", options->jobs, "Tasks at once, of each worker")
      .range(std::size_t{1}, std::size_t{4096})
      .show_default();
  add_flags(command, flag_specs(options->cluster,
                                "Servers: nats://host:port[,…], tls://…, or the "
                                "operator's folder of a pool"));
  command.footer(kScaleFooter);
  command.action([options] { scale(*options); });
}

}  // namespace artel::app
