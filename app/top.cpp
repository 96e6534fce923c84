#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/interrupt.hpp"
#include "app/top_terminal.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/append_json.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/file/write_file.hpp"
#include "artel/metrics/fleet_row.hpp"
#include "artel/metrics/fleet_screen.hpp"
#include "artel/metrics/http_get.hpp"
#include "artel/metrics/metrics_page.hpp"

namespace artel::app {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kAddressesMax = 256;  // each has a thread while it is looked at
constexpr auto kIntervalMin = 100ms;
constexpr auto kIntervalMax = 24h;
constexpr Duration kAnswerWithin = 5s;

struct TopCommand {
  std::vector<std::string> addresses;
  std::string interval = "2s";
  bool once = false;
  bool json = false;
};

/// One address, looked at again and again.
class WatchedAddress {
 public:
  explicit WatchedAddress(const std::string& address) : shown_{.address = address, .rows = {}} {
    std::error_code unknown;
    is_file_ = std::filesystem::exists(address, unknown);
    if (is_file_) return;
    auto read = metrics::parse_http_address(address);
    demand(read);
    to_ = *std::move(read);
  }

  [[nodiscard]] bool is_file() const { return is_file_; }
  [[nodiscard]] const metrics::FleetSource& shown() const { return shown_; }
  // The server answered, and not as a program of artel does.
  [[nodiscard]] bool is_other() const { return is_other_; }

  void look(const std::stop_token& stop) {
    is_other_ = false;
    const auto text = is_file_ ? file::read_text_file(shown_.address, metrics::kHttpBytesMax)
                               : metrics::http_get(to_, kAnswerWithin, stop);
    if (!text) {
      shown_.trouble = text.error().what;
      return;
    }
    auto reading = metrics::read_metrics_page(*text, shown_.address);
    const auto now = steady_now();
    const double seconds = std::max(1e-9, to_seconds(now - at_));
    auto rows = metrics::fleet_rows(before_ ? &*before_ : nullptr, reading.page, seconds);
    if (rows.empty()) {
      is_other_ = true;
      shown_.trouble = "no metrics of artel there (" + what_is_there(reading) +
                       "): artel worker --metrics serves them, and interop::pool_metrics() in a "
                       "program";
      return;
    }
    shown_.trouble.clear();
    shown_.rows = std::move(rows);
    before_ = std::move(reading.page);
    at_ = now;
  }

 private:
  static std::string what_is_there(const metrics::PageReading& reading) {
    const auto samples = reading.page.samples().size();
    if (samples > 0) return fmt::format("{} figures of others", samples);
    return reading.bad > 0 ? "not in the text format of Prometheus" : "nothing";
  }

  metrics::FleetSource shown_;
  metrics::HttpAddress to_;
  bool is_file_ = false;
  bool is_other_ = false;
  std::optional<metrics::MetricsPage> before_;
  Instant at_{};
};

// All at once, so that one that does not answer holds up no other.
void look_at_all(std::vector<WatchedAddress>& addresses, const std::stop_token& stop) {
  std::vector<std::jthread> threads;
  for (auto& address : addresses) {
    threads.emplace_back([&address, stop] { address.look(stop); });
  }
}

std::vector<metrics::FleetSource> shown(const std::vector<WatchedAddress>& addresses) {
  std::vector<metrics::FleetSource> sources;
  for (const auto& address : addresses) sources.push_back(address.shown());
  return sources;
}

void append_number(std::string& json, const char* key, std::optional<double> value) {
  json += fmt::format(", \"{}\": ", key);
  file::append_json_number(json, value);
}

std::string json_of(const std::vector<metrics::FleetSource>& sources) {
  std::string json = "{\"schema\": \"artel.top/1\", \"rows\": [";
  bool first = true;
  for (const auto& source : sources) {
    for (const auto& row : source.rows) {
      json += first ? "\n  {\"kind\": " : ",\n  {\"kind\": ";
      first = false;
      file::append_json(json, row.kind);
      json += ", \"name\": ";
      file::append_json(json, row.name);
      json += ", \"pool\": ";
      file::append_json(json, row.kind == "pool" ? row.name : row.pool);
      json += ", \"address\": ";
      file::append_json(json, source.address);
      append_number(json, "workers", row.workers);
      append_number(json, "busy", row.busy);
      append_number(json, "running", row.running);
      append_number(json, "queued", row.queued);
      append_number(json, "done_per_s", row.done);
      append_number(json, "failed_per_s", row.failed);
      append_number(json, "mean_s", row.mean_s);
      append_number(json, "p50_s", row.service_p50_s);
      append_number(json, "p99_s", row.service_p99_s);
      append_number(json, "p99_wait_s", row.wait_p99_s);
      json += row.draining ? ", \"draining\": true}" : ", \"draining\": false}";
    }
  }
  return json + (first ? "]}\n" : "\n]}\n");
}

// A table of two looks, as rates are of the time in between; files do not change.
void print_once(std::vector<WatchedAddress>& addresses, Duration interval, bool json) {
  const InterruptGuard interrupt;
  look_at_all(addresses, interrupt.token());
  if (!std::ranges::all_of(addresses, &WatchedAddress::is_file)) {
    wait_or_stop(interval, interrupt.token());
    if (interrupt.token().stop_requested()) finish(ExitStatus::interrupted);
    look_at_all(addresses, interrupt.token());
  }
  metrics::FleetScreen screen{.sources = shown(addresses), .headline = {}};
  bool other = false;
  bool failed = false;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    auto& source = screen.sources[i];
    if (source.trouble.empty()) continue;
    other = other || addresses[i].is_other();
    failed = true;
    print_errors({{ErrorCode::io, std::exchange(source.trouble, {}), source.address}});
  }
  std::string text;
  if (json) {
    text = json_of(screen.sources);
  } else {
    const auto lines = metrics::screen_lines(screen);
    for (std::size_t i = 1; i < lines.size(); ++i) text += lines[i] + "\n";  // no title
  }
  if (json || !text.empty()) demand(file::write_stdout(text));
  if (failed) finish(other ? ExitStatus::bad_input : ExitStatus::failed);
}

/// The screen, and who looks at the addresses meanwhile.
class LiveScreen {
 public:
  LiveScreen(std::vector<WatchedAddress>& addresses, Duration interval)
      : addresses_(addresses), interval_(interval), sources_(shown(addresses)) {}

  void run(const std::stop_token& stop) {
    auto terminal = TopTerminal::open();
    demand(terminal);
    const std::jthread looking([this](const std::stop_token& end) { look_until(end); });
    while (!stop.stop_requested()) {
      terminal->show(metrics::screen_lines(screen(), terminal->columns(), terminal->rows()));
      switch (terminal->key(kKeyWithin)) {
        case 'q':
          return;
        case 'b':
          order_ = metrics::RowOrder::busy;
          break;
        case 'd':
          order_ = metrics::RowOrder::done;
          break;
        case 'n':
          order_ = metrics::RowOrder::name;
          break;
        case 'w':
          order_ = metrics::RowOrder::queued;
          break;
        default:
          break;
      }
    }
  }

 private:
  static constexpr Duration kKeyWithin = 100ms;

  void look_until(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      look_at_all(addresses_, stop);
      {
        const std::scoped_lock lock(mutex_);
        sources_ = shown(addresses_);
        ++looks_;
      }
      wait_or_stop(interval_, stop);
    }
  }

  metrics::FleetScreen screen() {
    const std::scoped_lock lock(mutex_);
    auto sources = sources_;
    for (auto& source : sources) {
      if (!source.trouble.empty()) source.trouble += "; trying again";
    }
    auto headline =
        fmt::format("every {}, look {}; q quits; order: n name, b busy, d done, w waiting",
                    format_duration(interval_), looks_);
    return {.sources = std::move(sources), .order = order_, .headline = std::move(headline)};
  }

  std::vector<WatchedAddress>& addresses_;
  const Duration interval_;
  metrics::RowOrder order_ = metrics::RowOrder::as_served;
  std::mutex mutex_;
  std::vector<metrics::FleetSource> sources_;  // under the lock, as is:
  std::size_t looks_ = 0;
};

void top(const TopCommand& arguments) {
  auto interval = parse_duration(arguments.interval);
  if (!interval || *interval < kIntervalMin || *interval > kIntervalMax) {
    refuse({ErrorCode::invalid,
            fmt::format("found '{}', allowed: 100ms to 24h", arguments.interval), "--interval"});
  }
  if (arguments.addresses.size() > kAddressesMax) {
    refuse(
        {ErrorCode::too_large, fmt::format("more than {} addresses", kAddressesMax), "artel top"});
  }
  std::vector<WatchedAddress> addresses(arguments.addresses.begin(), arguments.addresses.end());
  const bool live = ::isatty(STDOUT_FILENO) == 1 && ::isatty(STDIN_FILENO) == 1;
  if (arguments.once || arguments.json || !live) {
    print_once(addresses, *interval, arguments.json);
    return;
  }
  const InterruptGuard interrupt;
  LiveScreen(addresses, *interval).run(interrupt.token());
}

constexpr const char* kTopFooter =
    R"(An address is host:9464, :9464 for this machine, or a URL. Workers and masters serve there
with --metrics, programs with a pool by interop::pool_metrics(). A server that goes away is
asked again until it is back. Keys: q quits; n, b, d, w put rows in order of names, busyness,
tasks done, tasks waiting.

Exit status: 0 done, 1 somebody did not answer (--once), 2 bad input, also: no metrics of artel.

Examples:
  artel top :9464
  artel top host1:9464 host2:9464 --interval 10s
  artel top http://host:9464/metrics --once
  artel top :9464 --json | jq .rows[0].queued
)";

}  // namespace

void add_top(Subcommand artel) {
  auto command = artel.subcommand(
      "top", "Show running pools, and the workers of a cluster, by the metrics that they serve");
  const auto arguments = std::make_shared<TopCommand>();
  command
      .option("address", arguments->addresses,
              "Where a program serves its metrics, or a file with such a text; several")
      .required()
      .type_name("ADDR");
  command.option("--interval", arguments->interval, "Time between two looks")
      .type_name("TIME")
      .show_default();
  command.flag("--once", arguments->once,
               "Print one table, of two looks, and end; so does an output that is no terminal");
  command.flag("--json", arguments->json, "The same as JSON (schema artel.top/1)");
  command.footer(kTopFooter);
  command.action([arguments] { top(*arguments); });
}

}  // namespace artel::app
