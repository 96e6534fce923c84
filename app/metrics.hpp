#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "artel/cluster/cluster.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/interop/metric.hpp"

// What --metrics serves. Names are by the rules of Prometheus; docs/cluster-operation.md has all of
// them.
namespace artel::app {

/// --metrics ADDR.
void add_metrics_option(Subcommand command, std::string& address);

/// Serves what `collect` gives, until the last copy of the result is gone. An empty address: serves
/// nothing.
/// Errors: as interop::MetricsServer::start(); unsupported where artel was built without it.
[[nodiscard]] Result<std::shared_ptr<void>> serve_metrics(
    const std::string& address, std::function<std::vector<interop::Metric>()> collect);

/// Of a worker of that pool.
[[nodiscard]] std::vector<interop::Metric> worker_metrics(const cluster::WorkerReport& report,
                                                          const std::string& pool);

/// Of a master in that pool.
[[nodiscard]] std::vector<interop::Metric> master_metrics(const cluster::Cluster& cluster,
                                                          const std::string& pool);

}  // namespace artel::app
