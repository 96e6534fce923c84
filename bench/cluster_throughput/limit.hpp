#pragma once

#include "artel/cluster/connection.hpp"
#include "bench/cluster_throughput/workload.hpp"

namespace artel::bench {

/// The least that a master on JetStream has to do: publish tasks, take results, count each once.
/// Nothing is looked after: a task that got lost would hang it. Same server, stream, consumer,
/// connection and credit as artel's.
[[nodiscard]] ClusterRun limit_master(const cluster::Connection& connection,
                                      const ClusterWorkload& workload);

/// Its worker: fetch, answer, acknowledge. Until the process is ended.
[[noreturn]] void limit_worker(const cluster::Connection& connection, std::size_t credit);

}  // namespace artel::bench
