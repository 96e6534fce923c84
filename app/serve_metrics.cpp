#include <fmt/core.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/metrics.hpp"
#include "artel/core/error.hpp"
#include "artel/interop/metric.hpp"
#include "artel/interop/metrics_server.hpp"

namespace artel::app {

Result<std::shared_ptr<void>> serve_metrics(const std::string& address,
                                            std::function<std::vector<interop::Metric>()> collect) {
  if (address.empty()) return std::shared_ptr<void>();
  auto server = interop::MetricsServer::start(address, std::move(collect));
  if (!server) return fail(server.error().code, server.error().what, "--metrics " + address);
  fmt::print(stderr, "artel: metrics: http://127.0.0.1:{}/metrics\n", server->port());
  return std::make_shared<interop::MetricsServer>(*std::move(server));
}

}  // namespace artel::app
