#include "artel/metrics/fleet_row.hpp"

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/metrics/metrics_page.hpp"
#include "artel/metrics/page_change.hpp"

namespace artel::metrics {
namespace {

/// One pool's, worker's or master's part of the pages.
class Part {
 public:
  Part(const MetricsPage& now, const PageChange* change, std::string prefix, Labels labels)
      : now_(now), change_(change), prefix_(std::move(prefix)), labels_(std::move(labels)) {}

  [[nodiscard]] std::optional<double> value(std::string_view name) const {
    const auto* const sample = now_.find(prefix_ + std::string(name), labels_);
    return sample == nullptr || !std::isfinite(sample->value) ? std::nullopt
                                                              : std::optional(sample->value);
  }
  [[nodiscard]] std::optional<double> rate(std::string_view name, const char* outcome = "") const {
    if (change_ == nullptr) return std::nullopt;
    auto labels = labels_;
    if (*outcome != '\0') labels.emplace_back("outcome", outcome);
    return change_->rate(prefix_ + std::string(name), labels);
  }
  [[nodiscard]] std::optional<double> quantile(double p, std::string_view family) const {
    if (change_ == nullptr) return std::nullopt;
    return change_->quantile(p, prefix_ + std::string(family), labels_);
  }

 private:
  const MetricsPage& now_;
  const PageChange* change_;
  std::string prefix_;
  Labels labels_;
};

std::optional<double> ratio(std::optional<double> part, std::optional<double> of) {
  return part && of && *of > 0 ? std::optional(*part / *of) : std::nullopt;
}

std::optional<double> sum(std::initializer_list<std::optional<double>> values) {
  double total = 0;
  for (const auto& value : values) {
    if (!value) return std::nullopt;
    total += *value;
  }
  return total;
}

FleetRow pool_row(const Part& part, std::string name) {
  FleetRow row{.kind = "pool", .name = std::move(name), .pool = {}};
  row.workers = part.value("workers");
  row.running = part.value("tasks_running");
  row.queued = part.value("tasks_queued");
  row.busy = ratio(part.rate("busy_seconds_total"), row.workers);
  row.done = part.rate("tasks_ended_total", "done");
  row.failed = part.rate("tasks_ended_total", "failed");
  row.mean_s = ratio(part.rate("service_seconds_sum"), part.rate("service_seconds_count"));
  row.service_p50_s = part.quantile(0.5, "service_seconds");
  row.service_p99_s = part.quantile(0.99, "service_seconds");
  row.wait_p99_s = part.quantile(0.99, "wait_seconds");
  return row;
}

FleetRow master_row(const Part& part, std::string pool) {
  FleetRow row{.kind = "master", .name = pool, .pool = std::move(pool)};
  row.workers = part.value("worker_threads");
  row.done = part.rate("chunks_done_total");
  row.failed = part.rate("chunks_dead_total");
  if (const auto issued = part.value("chunks_issued_total")) {
    const auto over = sum({part.value("chunks_done_total"), part.value("chunks_dead_total")});
    if (over && *issued >= *over) row.running = *issued - *over;  // sent, without a result yet
  }
  return row;
}

FleetRow worker_row(const Part& part, std::string id, std::string pool) {
  FleetRow row{.kind = "worker", .name = std::move(id), .pool = std::move(pool)};
  row.workers = part.value("threads");
  row.running = part.value("chunks_running");
  row.queued = part.value("chunks_waiting");
  row.done = part.rate("chunks_done_total");
  row.failed = part.rate("chunks_failed_total");
  const auto busy = part.rate("busy_seconds_total");
  row.busy = ratio(busy, row.workers);
  row.mean_s = ratio(busy, sum({row.done, row.failed}));
  row.draining = part.value("draining").value_or(0) > 0;
  return row;
}

}  // namespace

std::vector<FleetRow> fleet_rows(const MetricsPage* before, const MetricsPage& now,
                                 double seconds) {
  std::optional<PageChange> change;
  if (before != nullptr) change.emplace(*before, now, seconds);
  const PageChange* const looks = change ? &*change : nullptr;
  std::vector<FleetRow> rows;
  for (const auto& sample : now.named("artel_pool_workers")) {
    rows.push_back(pool_row(Part(now, looks, "artel_pool_", sample.labels),
                            std::string(sample.label("pool"))));
  }
  for (const auto& sample : now.named("artel_master_workers")) {
    rows.push_back(master_row(Part(now, looks, "artel_master_", sample.labels),
                              std::string(sample.label("pool"))));
  }
  for (const auto& sample : now.named("artel_worker_threads")) {
    rows.push_back(worker_row(Part(now, looks, "artel_worker_", sample.labels),
                              std::string(sample.label("worker")),
                              std::string(sample.label("pool"))));
  }
  return rows;
}

}  // namespace artel::metrics
