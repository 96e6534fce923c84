#include "app/watch_metrics.hpp"

#include <fmt/core.h>

#include <algorithm>
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
#include "artel/watch/fleet_watch.hpp"

namespace artel::app {
namespace {

using namespace std::chrono_literals;

/// A program's counters, from look to look.
class WatchedCounters {
 public:
  WatchedCounters(watch::FleetWatch& fleet, metrics::HttpAddress address)
      : fleet_(fleet), address_(std::move(address)) {}

  void look(const std::stop_token& stop) {
    constexpr Duration kAnswerWithin = 5s;
    const auto text = metrics::http_get(address_, kAnswerWithin, stop);
    const Instant now{wall_now()};
    if (stop.stop_requested()) return;
    say(text ? "" : text.error().what + "; trying again");
    if (!text) return;
    auto page = metrics::read_metrics_page(*text, address_.url()).page;
    if (!metrics::fleet_growth(page, page)) {
      refuse({ErrorCode::not_found,
              "no metrics of artel there: artel worker --metrics serves them, and "
              "interop::pool_metrics() in a program",
              address_.url()});
    }
    const auto growth = before_ ? metrics::fleet_growth(*before_, page) : std::nullopt;
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
  std::string trouble_;
  std::optional<metrics::MetricsPage> before_;
  Instant at_{};
};

}  // namespace

void watch_metrics(watch::FleetWatch& fleet, const std::string& address, Duration every,
                   const std::function<void(Instant)>& looked, const std::stop_token& stop) {
  auto to = metrics::parse_http_address(address);
  if (!to) to.error().where = "--prometheus " + to.error().where;
  demand(to);
  constexpr Duration kOftenest = 100ms;
  WatchedCounters counters(fleet, *std::move(to));
  while (!stop.stop_requested()) {
    counters.look(stop);
    if (stop.stop_requested()) return;
    looked(Instant{wall_now()});
    wait_or_stop(std::max(every, kOftenest), stop);
  }
}

}  // namespace artel::app
