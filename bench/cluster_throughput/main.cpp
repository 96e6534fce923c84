// Tasks that do nothing, through a server of our own on this machine to worker processes and back:
// what the way costs. `limit` is the least that can be done with the same server and settings;
// Open MPI shows what it costs when nothing is kept and nobody may die, Dask and Celery what others
// pay for the same service.
#include <fcntl.h>
#include <fmt/core.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/file/open_file.hpp"
#include "bench/cluster_throughput/contender.hpp"
#include "bench/cluster_throughput/limit.hpp"
#include "bench/cluster_throughput/workload.hpp"
#include "bench/measure.hpp"

namespace artel::bench {
namespace {

using cluster::Connection;
using cluster::LocalServer;

constexpr std::string_view kWorker = "--worker";
constexpr std::string_view kArtel = "artel";
constexpr std::string_view kLimit = "limit";
constexpr std::size_t kCredit = 17;    // of an artel worker of one thread, for the shortest tasks
constexpr std::size_t kInFlight = 64;  // for each worker
constexpr const char* kTokenVariable = "ARTEL_CLUSTER_TOKEN";

double quantile(std::vector<double> values, double p) {
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(p * static_cast<double>(values.size())))];
}

Outcome outcome(const ClusterRun& run, const ClusterWorkload& workload) {
  Outcome outcome{.answer = fmt::format("{:x}", run.checksum)};
  if (run.round_trip_us.empty()) {
    outcome.figures = {{"tasks_per_s", "1/s", static_cast<double>(workload.tasks) / run.seconds}};
  } else {
    outcome.figures = {{"p50_us", "us", quantile(run.round_trip_us, 0.5)},
                       {"p99_us", "us", quantile(run.round_trip_us, 0.99)}};
  }
  // Where the machine is busy, these decide.
  for (const auto& [metric, seconds] :
       {std::pair{"master_cpu_us", run.master_s}, std::pair{"workers_cpu_us", run.workers_s},
        std::pair{"server_cpu_us", run.server_s}}) {
    if (seconds > 0)
      outcome.figures.push_back(
          {metric, "us", 1e6 * seconds / static_cast<double>(workload.tasks)});
  }
  return outcome;
}

// Processor time.
double ended_children_s() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// This program again, as a worker.
command::Child start_worker(std::string_view contender, const LocalServer& server,
                            std::size_t credit) {
  const auto options = server.cluster();
  ::setenv(kTokenVariable, options.token.reveal().c_str(), 1);
  const file::OpenFile null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  auto child = command::Child::start(
      "/proc/self/exe",
      std::vector<std::string>{"worker", std::string(kWorker), std::string(contender),
                               options.servers.front(), std::to_string(credit)},
      {.in = null.get(),
       .out = null.get(),
       .err = contender == kArtel ? null.get() : STDERR_FILENO,  // it says that it has come
       .inherit = false});
  ARTEL_REQUIRE(child.has_value(), "a worker", child.error().message());
  return *std::move(child);
}

int be_worker(const std::vector<std::string>& words) {
  if (words.at(2) == kArtel) return artel_worker(words.at(3));
  auto options = cluster::parse_servers(words.at(3)).value();
  options.token = cluster::Secret::take_from_environment(kTokenVariable);
  const auto connection = Connection::connect(options).value();
  const auto credit = static_cast<std::size_t>(std::stoul(words.at(4)));
  limit_worker(connection, credit);
}

using Master = std::function<ClusterRun(const cluster::ClusterOptions&)>;

Outcome through_server(std::string_view contender, const ClusterWorkload& workload,
                       const Master& master) {
  std::optional server(LocalServer::start().value());
  std::vector<command::Child> workers;
  for (std::size_t i = 0; i < workload.workers; ++i) {
    workers.push_back(start_worker(contender, *server, workload.credit));
  }
  ClusterRun run = master(server->cluster());
  const double before = ended_children_s();
  workers.clear();
  const double between = ended_children_s();
  server.reset();
  run.workers_s = between - before;
  run.server_s = ended_children_s() - between;
  return outcome(run, workload);
}

// A rival that is a program, which prints the seconds, the checksum and the round trips.
[[maybe_unused]] Outcome of_program(const std::string& command, const ClusterWorkload& workload) {
  const std::unique_ptr<std::FILE, decltype(&pclose)> output(::popen(command.c_str(), "r"),
                                                             &pclose);
  std::string text;
  for (std::array<char, 4096> piece{}; std::fgets(piece.data(), piece.size(), output.get());) {
    text += piece.data();
  }
  std::istringstream in(text);
  ClusterRun run;
  if (!(in >> run.seconds >> run.checksum)) {
    throw std::runtime_error(fmt::format("failed: {}: {}", command, text));
  }
  for (double us = 0; in >> us;) run.round_trip_us.push_back(us);
  return outcome(run, workload);
}

#ifdef BENCH_MPIRUN
Outcome openmpi(const ClusterWorkload& workload) {
  return of_program(fmt::format("{} --oversubscribe --allow-run-as-root -np {} {} {} {} {} {}",
                                BENCH_MPIRUN, workload.workers + 1, BENCH_OPENMPI, workload.tasks,
                                workload.bytes, workload.credit, workload.in_flight),
                    workload);
}
#endif

// A fiftieth of the tasks is enough of what takes milliseconds each; so the answers differ, too. No
// number: it has failed, and says why.
[[maybe_unused]] void add_slow(Comparison& comparison, const char* contender,
                               const std::string& name, const std::string& command,
                               ClusterWorkload workload) {
  if (comparison.smoke()) return;  // they take seconds to start
  workload.tasks = std::clamp<std::size_t>(workload.tasks / 50, 20, 1000);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto run = [=] {
    const auto line = fmt::format("{} {} {} {} {} 2>/dev/null", command, workload.tasks,
                                  workload.bytes, workload.workers, workload.in_flight);
    try {
      Outcome one = of_program(line, workload);
      one.answer.clear();
      return one;
    } catch (const std::runtime_error& failure) {
      fmt::print(stderr, "{}\n", failure.what());
      ClusterRun none{.seconds = kNone};
      if (workload.in_flight == 1) none.round_trip_us.assign(1, kNone);
      Outcome nothing = outcome(none, workload);
      nothing.answer.clear();
      return nothing;
    }
  };
  comparison.add({contender, name, run, 3});
}

void add_all(Comparison& comparison, const std::string& name, const ClusterWorkload& workload) {
  const auto artel = [=](std::size_t chunk) {
    return through_server(kArtel, workload, [=](const cluster::ClusterOptions& options) {
      return artel_master(options, workload, chunk);
    });
  };
  comparison.add({"artel", name, [=] { return artel(1); }});
  // Chunks of 10 ms of these would be larger than a message may be.
  if (workload.in_flight > 1 && workload.bytes < 1000) {
    comparison.add({"artel-chunks", name, [=] { return artel(0); }});
  }
  comparison.add({"limit", name, [=] {
                    return through_server(
                        kLimit, workload, [=](const cluster::ClusterOptions& options) {
                          return limit_master(Connection::connect(options).value(), workload);
                        });
                  }});
#ifdef BENCH_MPIRUN
  comparison.add({"openmpi", name, [=] { return openmpi(workload); }});
#endif
#ifdef BENCH_DASK
  add_slow(comparison, "dask", name, BENCH_DASK, workload);
#endif
#ifdef BENCH_CELERY
  add_slow(comparison, "celery", name, BENCH_CELERY, workload);
#endif
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() == 5 && words[1] == kWorker) return be_worker(words);
  Comparison comparison("cluster_throughput", argc, argv);
  const bool smoke = comparison.smoke();
  for (const std::size_t workers : {1UL, 2UL, 4UL}) {
    add_all(comparison, fmt::format("100B/workers={}", workers),
            {.workers = workers,
             .tasks = smoke ? 200UL : 50'000UL,
             .bytes = 100,
             .credit = kCredit,
             .in_flight = kInFlight * workers});
    add_all(comparison, fmt::format("64KB/workers={}", workers),
            {.workers = workers,
             .tasks = smoke ? 20UL : 2'000UL,
             .bytes = 65'536,
             .credit = kCredit,
             .in_flight = kInFlight * workers});
  }
  add_all(comparison, "round_trip",
          {.workers = 1,
           .tasks = smoke ? 20UL : 2'000UL,
           .bytes = 100,
           .credit = kCredit,
           .in_flight = 1});
  return comparison.run();
}
