#pragma once

#include <prometheus/client_metric.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/metric_family.h>
#include <prometheus/metric_type.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/interop/metric.hpp"

namespace artel::interop {

/// Answers GET /metrics over HTTP in the text format of Prometheus, by prometheus-cpp.
///
///     auto server = interop::MetricsServer::start("127.0.0.1:9464", [&] { return metrics_of(pool);
///     });
///
/// Whoever reaches the address may read: there is no password and no TLS.
/// Cost:    two threads, and one call of `collect` for each request.
/// Threads: any. `collect` runs on threads of the server, one call at a time, and never after the
///          server is gone.
class MetricsServer {
 public:
  using Collect = std::function<std::vector<Metric>()>;

  /// `address`: "HOST:PORT", HOST an IP address ("[::1]" for IPv6) or localhost; ":PORT" or "PORT"
  /// alone: every address of IPv4 that this machine has. Port 0: any free one, see port().
  /// Errors: invalid: no such address; io: the port is taken, or not for us.
  [[nodiscard]] static Result<MetricsServer> start(const std::string& address, Collect collect) {
    const auto bound = listening_address(address);
    if (!bound) return fail(bound);
    try {
      return MetricsServer(*bound, std::move(collect));
    } catch (const std::exception&) {  // it says no more than "possible problem binding to port"
      return fail(ErrorCode::io, "cannot listen there: the port is taken, or not for us", address);
    }
  }

  [[nodiscard]] int port() const { return exposer_->GetListeningPorts().front(); }

 private:
  class Source final : public prometheus::Collectable {
   public:
    explicit Source(MetricsServer::Collect collect) : collect_(std::move(collect)) {}
    [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override {
      std::vector<prometheus::MetricFamily> families;
      for (const Metric& metric : collect_()) add(families, metric);
      return families;
    }

   private:
    const MetricsServer::Collect collect_;
  };

  MetricsServer(const std::string& address, Collect collect)
      : exposer_(std::make_unique<prometheus::Exposer>(address)),
        source_(std::make_shared<Source>(std::move(collect))) {
    exposer_->RegisterCollectable(source_);
  }

  // As the HTTP server under it reads it.
  static Result<std::string> listening_address(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    std::string host = colon == std::string::npos ? "" : address.substr(0, colon);
    const std::string port = colon == std::string::npos ? address : address.substr(colon + 1);
    if (host == "localhost") host = "127.0.0.1";
    constexpr std::string_view kOfAddresses = "0123456789abcdefABCDEF.:[]";
    if (!parse_number<std::uint16_t>(port) ||
        host.find_first_not_of(kOfAddresses) != std::string::npos) {
      return fail(ErrorCode::invalid,
                  "not an address to listen at: 127.0.0.1:9464, or :9464 for all of this machine",
                  address);
    }
    return host.empty() ? port : host + ":" + port;
  }

  // Those of one name are one family.
  static void add(std::vector<prometheus::MetricFamily>& families, const Metric& metric) {
    auto family = std::ranges::find(families, metric.name, &prometheus::MetricFamily::name);
    if (family == families.end()) {
      const auto type = metric.kind == MetricKind::counter ? prometheus::MetricType::Counter
                                                           : prometheus::MetricType::Gauge;
      families.push_back({.name = metric.name, .help = metric.help, .type = type, .metric = {}});
      family = std::prev(families.end());
    }
    prometheus::ClientMetric number;
    for (const auto& [name, value] : metric.labels) number.label.push_back({name, value});
    number.counter.value = metric.value;
    number.gauge.value = metric.value;
    family->metric.push_back(std::move(number));
  }

  // The source goes first: nothing is collected then, and the server's threads end.
  std::unique_ptr<prometheus::Exposer> exposer_;
  std::shared_ptr<Source> source_;
};

}  // namespace artel::interop
