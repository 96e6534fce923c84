#include "app/metrics.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/command_line.hpp"
#include "artel/cluster/cluster.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/interop/metric.hpp"

namespace artel::app {
namespace {

using interop::Metric;
using interop::MetricKind;
using Labels = std::vector<std::pair<std::string, std::string>>;

// Metrics of one process: one prefix, the same labels.
class Page {
 public:
  Page(std::string prefix, Labels labels)
      : prefix_(std::move(prefix)), labels_(std::move(labels)) {}

  void counter(const std::string& name, const char* help, double value) {
    metrics_.push_back({prefix_ + name + "_total", help, MetricKind::counter, value, labels_});
  }
  void counter(const std::string& name, const char* help, std::uint64_t value) {
    counter(name, help, static_cast<double>(value));
  }
  void gauge(const std::string& name, const char* help, double value) {
    metrics_.push_back({prefix_ + name, help, MetricKind::gauge, value, labels_});
  }
  void gauge(const std::string& name, const char* help, std::size_t value) {
    gauge(name, help, static_cast<double>(value));
  }
  [[nodiscard]] std::vector<Metric> take() { return std::move(metrics_); }

 private:
  const std::string prefix_;
  const Labels labels_;
  std::vector<Metric> metrics_;
};

}  // namespace

void add_metrics_option(Subcommand command, std::string& address) {
  command
      .option("--metrics", address,
              "Serve figures for Prometheus there, at /metrics: 127.0.0.1:9464, or :9464 for "
              "whoever reaches this machine")
      .type_name("ADDR")
      .group("Cluster");
}

std::vector<Metric> worker_metrics(const cluster::WorkerReport& report, const std::string& pool) {
  const auto running = static_cast<std::size_t>(std::ranges::count_if(
      report.held, [](const auto& chunk) { return chunk.running > Duration{}; }));
  Page page("artel_worker_", {{"pool", pool}, {"worker", report.worker}});
  page.gauge("start_time_seconds", "When it started, since 1970",
             to_seconds(wall_now() - report.uptime));
  page.gauge("threads", "Chunks that it runs at once", std::size_t{report.threads});
  page.gauge("chunks_running", "Chunks that are being worked on", running);
  page.gauge("chunks_waiting", "Chunks in hand that wait for a thread",
             report.held.size() - running);
  page.gauge("draining", "1: it was asked to leave, and takes no more",
             std::size_t{report.draining});
  page.counter("chunks_done", "Chunks that it has done", report.done);
  page.counter("chunks_failed", "Chunks that failed for the last time", report.failed);
  page.counter("chunks_refused", "Chunks that it cannot do", report.refused);
  page.counter("chunks_returned", "Chunks handed back for another try, or when it left",
               report.returned);
  page.counter("messages_forged", "Orders and calls dropped: signed by nobody whom it trusts",
               report.forged);
  page.counter("busy_seconds", "Time in chunks, of all threads", to_seconds(report.busy));
  return page.take();
}

std::vector<Metric> master_metrics(const cluster::Cluster& cluster, const std::string& pool) {
  const cluster::JobCounts counts = cluster.counts();
  const auto workers = cluster.workers();
  std::size_t threads = 0;
  for (const auto& worker : workers) threads += worker.threads;
  Page page("artel_master_", {{"pool", pool}});
  page.gauge("workers", "Workers that it knows", workers.size());
  page.gauge("worker_threads", "Their threads", threads);
  page.gauge("chunks_out_max", "Most chunks that were out at once", counts.out_max);
  page.counter("chunks_issued", "Chunks sent for the first time", counts.chunks.issued);
  page.counter("chunks_done", "Chunks with a result", counts.chunks.done);
  page.counter("chunks_reissued", "Copies sent because the one before was lost",
               counts.chunks.reissued);
  page.counter("chunks_speculated", "Copies sent because the one before was slow",
               counts.chunks.speculated);
  page.counter("results_duplicate", "Results of chunks that had one already",
               counts.chunks.duplicates);
  page.counter("chunks_refused", "Answers of workers that cannot do it", counts.refused);
  page.counter("chunks_suspect", "Chunks given up once, and tried again", counts.suspect);
  page.counter("chunks_dead", "Chunks given up for good", counts.dead);
  page.counter("messages_forged", "Results and reports dropped: signed by nobody whom it trusts",
               counts.forged);
  return page.take();
}

}  // namespace artel::app
