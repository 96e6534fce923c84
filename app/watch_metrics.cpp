#include "app/watch_metrics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/metrics/fleet_growth.hpp"
#include "artel/metrics/http_get.hpp"
#include "artel/metrics/metrics_page.hpp"
#include "artel/metrics/page_change.hpp"
#include "artel/watch/fleet_watch.hpp"

namespace artel::app {
namespace {

using namespace std::chrono_literals;

// 'name{label="value"}' as a sample of a page; ends the command if it is none.
metrics::MetricSample counter_of(const std::string& text, const char* option) {
  const auto reading = metrics::read_metrics_page(text + " 0\n", option);
  if (reading.page.samples().size() != 1) {
    refuse({ErrorCode::invalid,
            fmt::format("found '{}', allowed: a counter, as requests_total{{job=\"shop\"}}", text),
            option});
  }
  return reading.page.samples().front();
}

/// What is asked of a page: artel's own counters, or those that are named.
class Counters {
 public:
  explicit Counters(const WatchedMetrics& watched) : workers_(watched.workers) {
    if (watched.tasks.empty()) return;
    tasks_ = counter_of(watched.tasks, "--requests-metric");
    const bool ms = watched.work.ends_with(":ms");
    unit_s_ = ms ? 1e-3 : 1;
    work_ = counter_of(watched.work.substr(0, watched.work.size() - (ms ? 3 : 0)), "--work-metric");
  }

  [[nodiscard]] std::optional<metrics::FleetGrowth> growth(const metrics::MetricsPage& before,
                                                           const metrics::MetricsPage& now) const {
    if (!tasks_ || !work_) return metrics::fleet_growth(before, now);
    const metrics::PageChange change(before, now, 1);
    const auto tasks = change.growth(tasks_->name, tasks_->labels);
    const auto work = change.growth(work_->name, work_->labels);
    if (!tasks || !work) return std::nullopt;
    return metrics::FleetGrowth{*tasks, *work * unit_s_, workers_};
  }
  // What is not there.
  [[nodiscard]] std::string missing(const metrics::MetricsPage& page) const {
    if (!tasks_ || !work_)
      return "no metrics of artel there: artel worker --metrics serves them, and "
             "interop::pool_metrics() in a program; other programs' counters are named by "
             "--requests-metric and --work-metric";
    const metrics::PageChange same(page, page, 1);
    const bool has_tasks = same.growth(tasks_->name, tasks_->labels).has_value();
    return fmt::format("there is no counter {} with these labels",
                       has_tasks ? work_->name : tasks_->name);
  }

 private:
  std::optional<metrics::MetricSample> tasks_, work_;
  double unit_s_ = 1;
  std::uint32_t workers_;
};

/// A program's counters, from look to look.
class WatchedCounters {
 public:
  WatchedCounters(watch::FleetWatch& fleet, metrics::HttpAddress address,
                  const WatchedMetrics& watched)
      : fleet_(fleet), address_(std::move(address)), counters_(watched) {}

  void look(const std::stop_token& stop) {
    constexpr Duration kAnswerWithin = 5s;
    const auto text = metrics::http_get(address_, kAnswerWithin, stop);
    const Instant now{wall_now()};
    if (stop.stop_requested()) return;
    say(text ? "" : text.error().what + "; trying again");
    if (!text) return;
    auto page = metrics::read_metrics_page(*text, address_.url()).page;
    if (!counters_.growth(page, page))
      refuse({ErrorCode::not_found, counters_.missing(page), address_.url()});
    const auto growth = before_ ? counters_.growth(*before_, page) : std::nullopt;
    if (growth && at_ < now) fleet_.add(at_, now, growth->tasks, growth->busy_s, growth->workers);
    before_ = std::move(page);
    at_ = now;
  }

 private:
  // Once for each kind of trouble, and when it is over.
  void say(const std::string& trouble) {
    if (trouble == trouble_) return;
    fmt::print(stderr, "artel: {}: {}\n", address_.url(), trouble.empty() ? "is back" : trouble);
    trouble_ = trouble;
  }

  watch::FleetWatch& fleet_;
  const metrics::HttpAddress address_;
  const Counters counters_;
  std::string trouble_;
  std::optional<metrics::MetricsPage> before_;
  Instant at_{};
};

}  // namespace

void watch_metrics(watch::FleetWatch& fleet, const WatchedMetrics& watched, Duration every,
                   const std::function<void(Instant)>& looked, const std::stop_token& stop) {
  auto to = metrics::parse_http_address(watched.address);
  if (!to) to.error().where = "--prometheus " + to.error().where;
  demand(to);
  constexpr Duration kOftenest = 100ms;
  WatchedCounters counters(fleet, *std::move(to), watched);
  while (!stop.stop_requested()) {
    counters.look(stop);
    if (stop.stop_requested()) return;
    looked(Instant{wall_now()});
    wait_or_stop(std::max(every, kOftenest), stop);
  }
}

}  // namespace artel::app
