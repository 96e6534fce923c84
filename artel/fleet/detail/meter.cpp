#include "artel/fleet/detail/meter.hpp"

#include <cstddef>
#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/stat/histogram.hpp"

namespace artel::fleet::detail {
namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

TimeSummary summary_of(const stat::Histogram& nanoseconds) {
  if (nanoseconds.empty()) return {};
  const auto quantile = [&](double p) { return 1e-9 * nanoseconds.quantile(p); };
  return {.mean = 1e-9 * nanoseconds.mean(),
          .p50 = quantile(0.5),
          .p90 = quantile(0.9),
          .p95 = quantile(0.95),
          .p99 = quantile(0.99),
          .p999 = quantile(0.999),
          .max = 1e-9 * static_cast<double>(nanoseconds.max())};
}

Meter::Meter(const ReplicationOptions& options, std::size_t workers, std::size_t slots_each)
    : options_(options),
      observation_(options.observation),
      series_(options.series),
      slots_each_(slots_each),
      size_(Instant{}, static_cast<double>(workers)) {}

bool Meter::arrived(Instant now) {
  const auto position = result_.tasks++;
  in_system_.add(now, 1);
  if (observation_ != nullptr) [[unlikely]]
    observation_->arrived(now);
  if (!counting_) {
    counting_ = position >= options_.warm_up_tasks && now >= Instant{options_.warm_up};
    if (!counting_) return false;
    window_start_ = now;
    in_system_.reset(now);
    busy_.reset(now);
    size_.reset(now);
    for (auto& workers : beyond_) workers.reset(now);
  }
  ++result_.arrived;
  return true;
}

void Meter::rejected(Instant now, bool counted) {
  in_system_.add(now, -1);
  if (observation_ != nullptr) [[unlikely]]
    observation_->left(now);
  result_.rejected += counted ? 1 : 0;
}

void Meter::started(Instant now, WorkerId worker, Instant arrival) {
  busy_.add(now, 1);
  if (observation_ != nullptr) [[unlikely]]
    observation_->started(now, worker, arrival);
}

void Meter::finished(Instant now, WorkerId worker) {
  busy_.add(now, -1);
  if (observation_ != nullptr) [[unlikely]]
    observation_->finished(now, worker);
}

void Meter::busy(Instant now, double change) {
  busy_.add(now, change);
  if (observation_ != nullptr) [[unlikely]]
    observation_->busy(now, change / static_cast<double>(slots_each_));
}

void Meter::resized(Instant now, double change) {
  size_.add(now, change);
  resized_ = true;
}

void Meter::gave_up(Instant now, Instant arrival, bool counted) {
  lost(now, counted);
  if (!counted) return;
  times_.waits.record(static_cast<std::uint64_t>((now - arrival).count()));
}

void Meter::lost(Instant now, bool counted) {
  in_system_.add(now, -1);
  if (observation_ != nullptr) [[unlikely]]
    observation_->left(now);
  result_.abandoned += counted ? 1 : 0;
}

void Meter::completed(Instant now, Instant arrival, Instant start, bool counted) {
  in_system_.add(now, -1);
  if (observation_ != nullptr) [[unlikely]]
    observation_->left(now);
  const auto response = now - arrival;
  if (series_ != nullptr) series_->add(to_seconds(response));
  if (!counted) return;
  ++result_.completed;
  times_.responses.record(static_cast<std::uint64_t>(response.count()));
  times_.waits.record(static_cast<std::uint64_t>((start - arrival).count()));
  waited_ += start > arrival ? 1 : 0;
}

void Meter::step(Instant now, WorkerId worker, std::uint32_t depth, int change) {
  if (depth <= kDepths) beyond_[depth - 1].add(now, change);
  if (observation_ != nullptr) [[unlikely]]
    observation_->bound(now, worker, change);
}

void Meter::source_ended(Instant now) {
  const double workers = resized_ ? size_.mean(now) : size_.value();  // exactly, if it can be
  result_.workers = workers;
  result_.window_s = to_seconds(now - window_start_);
  result_.in_system = in_system_.mean(now);
  if (workers == 0) return;
  result_.utilisation = busy_.mean(now) / (workers * static_cast<double>(slots_each_));
  for (std::size_t k = 0; k < kDepths; ++k) result_.beyond[k] = beyond_[k].mean(now) / workers;
}

Replication Meter::result() const {
  auto result = result_;
  result.response = summary_of(times_.responses);
  result.wait = summary_of(times_.waits);
  result.wait_probability = share(waited_, result.completed);
  result.rejected_share = share(result.rejected, result.arrived);
  result.abandoned_share = share(result.abandoned, result.arrived);
  if (options_.times != nullptr) {
    options_.times->responses.merge(times_.responses);
    options_.times->waits.merge(times_.waits);
  }
  return result;
}

}  // namespace artel::fleet::detail
