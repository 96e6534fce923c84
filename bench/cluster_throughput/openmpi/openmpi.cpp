// The rival of its own: one master, workers with a credit each, over MPI. Nothing is kept, and when
// a process dies all do. Arguments: tasks, bytes, credit, in flight. Prints the seconds, the
// checksum and, if one task is in flight, the round trips in us.
#include <fmt/core.h>
#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "bench/cluster_throughput/workload.hpp"

namespace artel::bench {
namespace {

constexpr int kWork = 1;
constexpr int kEnd = 2;

ClusterRun master(const ClusterWorkload& workload) {
  ClusterRun run;
  std::vector<char> result(workload.bytes);
  std::size_t sent = 0;
  double sent_at = 0;
  const auto send_to = [&](std::size_t worker) {
    const auto bytes = payload(sent++, workload.bytes);
    sent_at = MPI_Wtime();
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, static_cast<int>(worker) + 1,
             kWork, MPI_COMM_WORLD);
  };
  const auto started = MPI_Wtime();
  for (std::size_t round = 0; round < workload.credit; ++round) {
    for (std::size_t worker = 0; worker < workload.workers; ++worker) {
      if (sent < workload.tasks && sent < workload.in_flight) send_to(worker);
    }
  }
  for (std::size_t done = 0; done < workload.tasks; ++done) {
    MPI_Status status;
    MPI_Recv(result.data(), static_cast<int>(result.size()), MPI_CHAR, MPI_ANY_SOURCE, kWork,
             MPI_COMM_WORLD, &status);
    if (workload.in_flight == 1) run.round_trip_us.push_back((MPI_Wtime() - sent_at) * 1e6);
    run.checksum += share_of(result);
    if (sent < workload.tasks) send_to(static_cast<std::size_t>(status.MPI_SOURCE) - 1);
  }
  run.seconds = MPI_Wtime() - started;
  for (std::size_t worker = 0; worker < workload.workers; ++worker) {
    MPI_Send(nullptr, 0, MPI_CHAR, static_cast<int>(worker) + 1, kEnd, MPI_COMM_WORLD);
  }
  return run;
}

// Results leave while the next task is taken: `credit` of them are under way at most, since the
// master sends the next task when it has one. A plain MPI_Send would wait for each other for ever.
void worker(std::size_t bytes, std::size_t credit) {
  std::vector<std::vector<char>> buffers(credit, std::vector<char>(bytes));
  std::vector<MPI_Request> sends(credit, MPI_REQUEST_NULL);
  for (std::size_t i = 0;; i = (i + 1) % credit) {
    MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
    MPI_Status status;
    MPI_Recv(buffers[i].data(), static_cast<int>(bytes), MPI_CHAR, 0, MPI_ANY_TAG, MPI_COMM_WORLD,
             &status);
    if (status.MPI_TAG == kEnd) break;
    MPI_Isend(buffers[i].data(), static_cast<int>(bytes), MPI_CHAR, 0, kWork, MPI_COMM_WORLD,
              &sends[i]);
  }
  MPI_Waitall(static_cast<int>(credit), sends.data(), MPI_STATUSES_IGNORE);
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 4 || size < 2) return EXIT_FAILURE;
  const ClusterWorkload workload{.workers = static_cast<std::size_t>(size) - 1,
                                 .tasks = std::stoul(words[0]),
                                 .bytes = std::stoul(words[1]),
                                 .credit = std::stoul(words[2]),
                                 .in_flight = std::stoul(words[3])};
  if (rank == 0) {
    const auto run = master(workload);
    fmt::print("{} {}", run.seconds, run.checksum);
    for (const auto us : run.round_trip_us) fmt::print(" {}", us);
    fmt::print("\n");
  } else {
    worker(workload.bytes, workload.credit);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
