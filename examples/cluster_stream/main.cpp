// A source ten times larger than the memory that the master may have, mapped over a cluster.
//
// Starts a server and a worker process of its own; then allows itself some megabytes, and maps over
// blocks that it makes as they are asked for. `example_cluster_stream 256` allows itself 256 MB.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>

#include <stdlib.h>
#include <cstdint>
#include <ranges>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/open_file.hpp"
#include "artel/parallel/lazy_map.hpp"

ARTEL_TASK(checksum, std::uint64_t, const std::string& block) {
  return artel::cluster::fingerprint(block);
}

namespace {

using artel::cluster::Cluster;
using artel::cluster::LocalServer;

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;
constexpr std::uint64_t kBlock = std::uint64_t{1} << 16U;
constexpr std::uint64_t kTimes = 10;

std::string block(std::uint64_t i) {
  return std::string(kBlock, static_cast<char>('a' + i % 26)) + std::to_string(i);
}

int fail(const artel::Error& error) {
  fmt::print(stderr, "cluster_stream: {}\n", to_string(error));
  return EXIT_FAILURE;
}

// A process of this program that works until it is killed. The token comes in its environment.
int work(const std::string& server) {
  auto options = artel::cluster::parse_servers(server);
  if (!options) return fail(options.error());
  options->token = artel::cluster::Secret::take_from_environment("CLUSTER_STREAM_TOKEN");
  const auto last = artel::cluster::serve({.cluster = *options, .threads = 1}, std::stop_token());
  return last ? EXIT_SUCCESS : fail(last.error());
}

int stream(Cluster& cluster, std::uint64_t limit_mb) {
  const rlimit allowed{.rlim_cur = limit_mb * kMegabyte, .rlim_max = limit_mb * kMegabyte};
  if (setrlimit(RLIMIT_DATA, &allowed) != 0) return EXIT_FAILURE;

  const std::uint64_t blocks = kTimes * limit_mb * kMegabyte / kBlock;
  const auto source = std::views::iota(std::uint64_t{0}, blocks) | std::views::transform(block);
  std::uint64_t seen = 0;
  for (const auto sum : artel::parallel::lazy_map(cluster, source, checksum, {.chunk = 8})) {
    if (sum != checksum(block(seen))) {
      fmt::print("block {} has another checksum\n", seen);
      return EXIT_FAILURE;
    }
    ++seen;
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  fmt::print("{} blocks, {} MB, with {} MB allowed\n", seen, seen * kBlock / kMegabyte, limit_mb);
  fmt::print(stderr, "resident at most: {} MB; chunks out at most: {}\n", used.ru_maxrss / 1024,
             cluster.counts().out_max);
  return seen == blocks ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (arguments.size() == 3 && arguments[1] == "worker") return work(arguments[2]);
  const auto limit_mb =
      arguments.size() > 1 ? artel::parse_number<std::uint64_t>(arguments[1]) : 128;
  if (!limit_mb) return EXIT_FAILURE;

  const auto server = LocalServer::start();
  if (!server) return fail(server.error());
  const auto options = server->cluster();
  ::setenv("CLUSTER_STREAM_TOKEN", options.token.reveal().c_str(), 1);
  const artel::file::OpenFile null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const auto worker = artel::command::Child::start(
      "/proc/self/exe", std::vector<std::string>{"cluster_stream", "worker", server_list(options)},
      {.in = null.get(), .out = null.get(), .err = 2, .inherit = false});
  if (!worker) {
    fmt::print(stderr, "cluster_stream: no worker: {}\n", worker.error().message());
    return EXIT_FAILURE;
  }
  auto cluster = Cluster::connect(options, {.storage = artel::cluster::Storage::memory});
  if (!cluster) return fail(cluster.error());
  return stream(*cluster, *limit_mb);
}
