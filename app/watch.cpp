#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ios>
#include <istream>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/interrupt.hpp"
#include "app/run_options.hpp"
#include "app/trace_input_options.hpp"
#include "app/watch_metrics.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/write_file.hpp"
#include "artel/logs/load_log.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/log_stream.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/watch/fleet_watch.hpp"
#include "artel/watch/followed_file.hpp"
#include "artel/watch/watch_report.hpp"

namespace artel::app {
namespace {

using namespace std::chrono_literals;

struct WatchCommand {
  TraceInputOptions input;
  std::string url;
  std::string requests_metric, work_metric;  // of a program that is not artel's
  std::string every = "1m";
  std::string horizon = "1h";
  bool past = false;  // go through the log by its own clock
  bool json = false;
  std::optional<std::uint32_t> workers;
  std::optional<std::uint64_t> seed;
  watch::WatchOptions watch{.slo = {}, .jobs = usable_cpus()};
};

/// Prints a report whenever its time has come.
class Reporter {
 public:
  Reporter(watch::FleetWatch& fleet, const WatchCommand& arguments, Duration every)
      : fleet_(fleet),
        horizon_(arguments.watch.horizon),
        every_(every),
        json_(arguments.json),
        slo_(join(arguments.watch.slo, ",")) {}

  void print(Instant now) {
    const auto report = fleet_.report(now);
    const auto line =
        json_ ? watch::report_json(report, horizon_) : watch::report_line(report, horizon_, slo_);
    demand(file::write_stdout(line + "\n"));
  }
  // Those that were due up to now; of several only the last.
  void print_due(Instant now) {
    if (now < due_) return;
    print(now);
    due_ = later(now, every_);
  }
  // By the clock of what is read: each.
  void print_all_due(Instant now) {
    if (due_ == Instant::min()) due_ = later(now, every_);
    for (; due_ <= now; due_ = later(due_, every_)) print(due_);
  }

 private:
  watch::FleetWatch& fleet_;
  const Duration horizon_, every_;
  const bool json_;
  const std::string slo_;
  Instant due_ = Instant::min();
};

/// A log, read by one loop: its lines come, and while there are none time passes.
class LogWatch {
 public:
  LogWatch(watch::FleetWatch& fleet, Reporter& reporter, const WatchCommand& arguments,
           const std::stop_token& stop)
      : fleet_(fleet), reporter_(reporter), arguments_(arguments), stop_(stop) {
    struct stat file{};
    if (::stat(arguments_.input.file.c_str(), &file) == 0)
      written_ = Instant{std::chrono::seconds(file.st_mtim.tv_sec)};
  }

  // Until the log ends, or a signal comes.
  void run() {
    try {
      read();
    } catch (const Stopped&) {
      return;
    }
  }

 private:
  struct Stopped {};

  void read() {
    if (!arguments_.input.class_by.empty()) {
      refuse({ErrorCode::unsupported, "a forecast does not tell classes apart; artel plan does",
              "--class-by"});
    }
    auto options = read_log_options(arguments_.input);
    demand(options);
    take_own_columns(*options);
    std::unique_ptr<std::istream> in = open();
    const auto reading =
        logs::follow_log(*in, arguments_.input.file, *options,
                         [this](const trace::TaskRecord& task, const logs::LogReading& so_far) {
                           add(task, so_far);
                         });
    if (stop_.stop_requested()) return;
    demand(reading);
    if (arguments_.past && newest_ != Instant::min()) reporter_.print(newest_);
    print_reading(*reading);
  }

  std::unique_ptr<std::istream> open() {
    if (arguments_.past) {
      auto stream = logs::LogStream::open(arguments_.input.file);
      demand(stream);
      return *std::move(stream);
    }
    auto stream =
        watch::FollowedFile::open(arguments_.input.file, [this] { return wait_for_more(); });
    demand(stream);
    return *std::move(stream);
  }

  // artel's own CSV has columns that need no naming.
  void take_own_columns(logs::LogOptions& options) const {
    const auto stream = logs::LogStream::open(arguments_.input.file);
    demand(stream);
    std::string start(logs::kTellingBytes, '\0');
    (*stream)->read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>((*stream)->gcount()));
    if (trace::is_trace(std::as_bytes(std::span(start)))) {
      refuse({ErrorCode::unsupported, "a recorded trace does not grow; artel plan reads it",
              arguments_.input.file});
    }
    options = logs::with_own_columns(options, start);
  }

  void add(const trace::TaskRecord& task, const logs::LogReading& so_far) {
    if (newest_ == Instant::min()) {
      const auto header = logs::header_of(so_far);
      if (header.loop == trace::Loop::closed) {
        refuse({ErrorCode::unsupported,
                "the log says when tasks started, not when they came: no rate follows from that",
                arguments_.input.file});
      }
      fleet_.begin(header);
      if (!arguments_.past) fmt::print(stderr, "artel: {}\n", so_far.title);
    }
    if (stop_.stop_requested()) throw Stopped{};
    fleet_.add(task);
    newest_ = std::max(newest_, task.finished);
    if (arguments_.past) {
      reporter_.print_all_due(newest_);
    } else if (caught_up_) {
      reporter_.print_due(now());
    } else {
      look_back();
    }
  }

  // While the past is read: forecasts of the last hour, to be judged soon.
  void look_back() {
    const auto horizon = arguments_.watch.horizon;
    if (newest_ < later(written_, -horizon - horizon / 10) || newest_ < looked_back_) return;
    constexpr int kTimes = 12;
    if (looked_back_ != Instant::min()) static_cast<void>(fleet_.report(newest_));
    looked_back_ = later(newest_, horizon / kTimes);
  }

  bool wait_for_more() {
    if (!caught_up_ && newest_ != Instant::min()) {
      caught_up_ = true;
      set_clock();
    }
    if (newest_ != Instant::min() || started_ + kPatience < steady_now())
      reporter_.print_due(now());
    constexpr Duration kLook = 100ms;
    wait_or_stop(kLook, stop_);
    return !stop_.stop_requested();
  }

  // A log without zones may be hours off; it was written last when its file was.
  void set_clock() {
    constexpr Duration kZones = 15min;
    const auto skew = newest_ - written_;
    const auto zones = std::llround(to_seconds(skew) / to_seconds(kZones));
    offset_ = kZones * zones;
    constexpr Duration kTolerance = 3min;
    if (zones == 0 || skew - offset_ > kTolerance || offset_ - skew > kTolerance) {
      offset_ = {};
      return;
    }
    fmt::print(stderr, "artel: the log's clock is {} {} this machine's, and is taken as it is\n",
               format_duration(offset_ < Duration{} ? -offset_ : offset_),
               offset_ < Duration{} ? "behind" : "ahead of");
  }

  [[nodiscard]] Instant now() const { return later(Instant{wall_now()}, offset_); }

  static constexpr Duration kPatience = 2s;  // with a file that has nothing yet

  watch::FleetWatch& fleet_;
  Reporter& reporter_;
  const WatchCommand& arguments_;
  const std::stop_token& stop_;
  const Instant started_ = steady_now();
  Instant written_{};  // the file, last
  Instant newest_ = Instant::min();
  Instant looked_back_ = Instant::min();
  Duration offset_{};
  bool caught_up_ = false;
};

Duration time_option(const std::string& text, const char* option, Duration least) {
  const auto time = parse_duration(text);
  if (!time || *time < least || *time > std::chrono::hours(24 * 7)) {
    refuse({ErrorCode::invalid,
            fmt::format("found '{}', allowed: {} to 7d", text, format_duration(least)), option});
  }
  return *time;
}

void watch_source(WatchCommand& arguments) {
  if (arguments.input.file.empty() == arguments.url.empty()) {
    refuse({ErrorCode::invalid, "expected a log, or --prometheus URL", "artel watch"});
  }
  if (const auto* const option = given_log_option(arguments.input);
      option != nullptr && !arguments.url.empty())
    refuse({ErrorCode::invalid, "goes with a log, not with --prometheus", option});
  if (arguments.past && !arguments.url.empty())
    refuse({ErrorCode::invalid, "goes with a log, not with --prometheus", "--no-follow"});
  const bool foreign = !arguments.requests_metric.empty();
  if (foreign == arguments.work_metric.empty() || (foreign && arguments.url.empty())) {
    refuse({ErrorCode::invalid, "go together, and with --prometheus",
            "--requests-metric, --work-metric"});
  }
  if (foreign && !arguments.workers)
    refuse({ErrorCode::invalid, "is required: such counters do not say how many there are",
            "--workers"});
  if (arguments.workers && (*arguments.workers < 1 || *arguments.workers > 100'000))
    refuse({ErrorCode::invalid, "allowed: 1 to 100000", "--workers"});
  const auto every = time_option(arguments.every, "--every", 100ms);
  auto& options = arguments.watch;
  options.horizon = time_option(arguments.horizon, "--horizon", 6s);
  options.workers = arguments.workers;
  if (arguments.seed) options.seed = Seed{*arguments.seed};
  const InterruptGuard interrupt;
  options.stop = interrupt.token();
  auto fleet = watch::FleetWatch::make(options);
  if (!fleet) fleet.error().where = "--" + fleet.error().where;
  demand(fleet);
  Reporter reporter(*fleet, arguments, every);
  const auto stop = interrupt.token();
  // Metrics are looked at twice in the shortest time that the watch tells apart.
  constexpr auto kLooks = static_cast<std::int64_t>(2 * watch::FleetWatch::kParts);
  if (arguments.url.empty()) {
    LogWatch(*fleet, reporter, arguments, stop).run();
  } else {
    watch_metrics(
        *fleet,
        {.address = arguments.url,
         .tasks = arguments.requests_metric,
         .work = arguments.work_metric,
         .workers = arguments.workers.value_or(0)},
        std::min(every, options.horizon / kLooks), [&](Instant now) { reporter.print_due(now); },
        stop);
  }
  fmt::print(stderr, "{}", watch::summary_text(fleet->summary()));
}

constexpr const char* kWatchFooter =
    R"(One line each time: the rate now, what is expected of the time ahead, the smallest fleet that
meets the objectives then, what the fleet that there is would do, and how well the time that is
over was foretold. With too little to go by it says so. Ctrl-C ends it with a summary.

Exit status: 0 ended by Ctrl-C, or at the end of the log (--no-follow), 2 bad input.

Examples:
  artel watch /var/log/nginx/access.log --slo 'p99<300ms' --workers 8
  artel watch access.log --slo 'p99<300ms' --no-follow --every 10m
  artel watch --prometheus :9464 --slo 'p99<2s,mean_wait<100ms' --json
  artel watch --prometheus http://h:9540/metrics --slo 'p99<2s' --workers 8 \
    --requests-metric celery_tasks_runtime_seconds_count \
    --work-metric celery_tasks_runtime_seconds_sum
)";

}  // namespace

void add_watch(Subcommand artel) {
  auto command = artel.subcommand(
      "watch",
      "Follow a log or metrics: what the fleet will need in the next hour, and how well "
      "the last one was foretold");
  const auto arguments = std::make_shared<WatchCommand>();
  command
      .option("log", arguments->input.file,
              "A log that grows: nginx, Envoy, HAProxy, JSON, CSV, …; rotation is followed")
      .type_name("LOG");
  command
      .option("--prometheus", arguments->url,
              "Instead of a log: where a pool or a worker of artel serves its metrics, or another "
              "program does")
      .type_name("URL");
  command
      .option("--requests-metric", arguments->requests_metric,
              "With --prometheus: of another program the counter of tasks that ended, "
              "'requests_total{job=\"shop\"}'; those with these labels are added up")
      .type_name("COUNTER");
  command
      .option("--work-metric", arguments->work_metric,
              "And the counter of seconds that they took; :ms behind it if it is milliseconds")
      .type_name("COUNTER");
  command
      .option("--slo", arguments->watch.slo,
              "Objective, like p99<300ms or mean_wait<5ms; several combine, with commas too")
      .required()
      .type_name("NAME<LIMIT")
      .split_at(',')
      .one_value_each();
  command.option("--every", arguments->every, "Time between two reports")
      .type_name("TIME")
      .show_default();
  command.option("--horizon", arguments->horizon, "How far to look ahead, and back")
      .type_name("TIME")
      .show_default();
  command.option("--workers", arguments->workers, "How many there are, if the source does not say");
  command
      .option("--policy", arguments->watch.policy,
              "Of the fleet: jsq(d=2), …; the source's own or one common queue if not given")
      .type_name("NAME")
      .suggest(scenario::policy_names());
  command.flag("--no-follow", arguments->past,
               "Go through what the log has, by its own clock, and end");
  command.flag("--json", arguments->json, "An object a line (schema artel.watch/1)");
  add_log_options(command, arguments->input);
  add_seed_option(command, arguments->seed);
  add_jobs_option(command, arguments->watch.jobs);
  command.footer(kWatchFooter);
  command.action([arguments] { watch_source(*arguments); });
}

}  // namespace artel::app
