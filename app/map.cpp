#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cluster_map.hpp"
#include "app/command.hpp"
#include "app/job_trace.hpp"
#include "app/progress_bar.hpp"
#include "app/stop_signals.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_log_file.hpp"
#include "artel/command/job_loop.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {
namespace {

using command::Halt;
using command::JobLogFile;
using command::JobReport;

// What artel map says with its exit status, besides the number of failed jobs.
constexpr std::uint64_t kFailedMax = 101;
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;
constexpr int kSignal = 128;  // plus its number
constexpr int kBroken = 255;

// Of the job log, as timeout(1) has it.
constexpr int kTimedOut = 124;

struct MapOptions {
  std::vector<std::string> command;  // and items behind ":::"
  std::vector<std::string> stray;
  std::optional<std::size_t> jobs;
  bool keep_order = false;  // the default, said aloud
  bool as_ready = false;
  std::size_t items_per_job = 1;
  std::string file;
  bool null = false;
  bool shell = false;
  std::string halt = "never";
  unsigned retries = 0;
  std::string timeout = "inf";
  std::string job_log;
  bool resume = false;
  bool resume_failed = false;
  bool dry_run = false;
  bool progress = false;
  std::string record;
  std::string results;
  cluster::ClusterFlags cluster;
  cluster::DispatchFlags dispatch;

  [[nodiscard]] bool on_cluster() const { return !cluster.servers.empty(); }
};

[[noreturn]] void refuse_arguments(const std::string& what) {
  refuse({ErrorCode::invalid, what, "artel map"});
}

// Files that the command writes must not get the numbers 0 to 2.
void open_standard_files() {
  int file = 0;
  do {
    file = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  } while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0) ::close(file);
}

// Cuts the items behind ":::" off the command; nothing: they come from a file.
std::optional<std::vector<std::string>> cut_items(std::vector<std::string>& command) {
  const auto colons = std::ranges::find(command, ":::");
  if (colons == command.end()) return std::nullopt;
  std::vector<std::string> items(std::make_move_iterator(std::next(colons)),
                                 std::make_move_iterator(command.end()));
  command.erase(colons, command.end());
  return items;
}

std::unique_ptr<command::InputItems> open_items(MapOptions& options) {
  auto listed = cut_items(options.command);
  if (listed && !options.file.empty()) {
    refuse_arguments("items come from --arg-file or from behind ':::', not from both");
  }
  if (listed) return std::make_unique<command::ListedItems>(std::move(*listed));
  int file = STDIN_FILENO;
  if (!options.file.empty() && options.file != "-") {
    file = ::open(options.file.c_str(), O_RDONLY | O_CLOEXEC);  // until the process ends
    if (file < 0) {
      const std::error_code error(errno, std::generic_category());
      refuse({ErrorCode::io, fmt::format("cannot read: {}", error.message()), options.file});
    }
  }
  return std::make_unique<command::ItemReader>(
      file, options.null ? '\0' : '\n', options.file.empty() ? "standard input" : options.file);
}

// What the jobs leave behind, and what an earlier run has left.
struct Records {
  command::FinishedJobs earlier;
  std::optional<JobLogFile> log;
  std::optional<JobTrace> trace;
};

Records open_records(const MapOptions& options) {
  Records records;
  const bool resume = options.resume || options.resume_failed;
  if (resume && options.job_log.empty())
    refuse_arguments("--resume needs the --joblog of the earlier run");
  if (options.dry_run && !resume) return records;
  if (resume) {
    auto earlier = command::read_finished_jobs(options.job_log);
    if (!earlier) refuse(earlier.error());
    records.earlier = std::move(*earlier);
  }
  if (options.dry_run) return records;
  if (!options.job_log.empty()) {
    auto log = JobLogFile::open(options.job_log, records.earlier.bytes);
    if (!log) refuse(log.error());
    records.log.emplace(std::move(*log));
  }
  if (!options.record.empty()) {
    using std::chrono::steady_clock;
    using std::chrono::system_clock;
    auto trace = JobTrace::create(
        options.record,
        {.started = Instant{steady_clock::now().time_since_epoch()},
         .wall = system_clock::now().time_since_epoch(),
         .loop = trace::Loop::closed,
         .settings = {{"source", "artel map"},
                      {"pool.workers", std::to_string(options.jobs.value_or(usable_cpus()))}}});
    if (!trace) refuse(trace.error());
    records.trace.emplace(std::move(*trace));
  }
  return records;
}

Result<void> record(Records& records, const JobReport& report) {
  if (records.trace) {
    if (auto added = records.trace->add(report); !added) return added;
  }
  if (!records.log || report.cancelled) return {};  // --resume runs a cancelled job again
  return records.log->add({.job = report.job,
                           .started = report.started_wall,
                           .runtime = report.finished - report.started,
                           .output = report.output,
                           .exit_status = report.timed_out ? kTimedOut : report.ending.exit_status,
                           .signal = report.ending.signal,
                           .command = command::shell_quote(report.command)});
}

int exit_status(const command::RunSummary& summary, int signal) {
  if (summary.failure) {
    switch (summary.failure->code) {
      case ErrorCode::not_found:
        return kNotFound;
      case ErrorCode::unsupported:
        return kCannotRun;
      case ErrorCode::closed:  // as if the signal had ended us, and as silently
        return kSignal + SIGPIPE;
      default:
        return kBroken;
    }
  }
  if (summary.interrupted) return kSignal + signal;
  return static_cast<int>(std::min(summary.failed, kFailedMax));
}

command::JobLoopOptions loop_options(const MapOptions& options) {
  const auto timeout = parse_duration(options.timeout);
  if (!timeout) refuse({ErrorCode::invalid, timeout.error().what, "--timeout"});
  if (*timeout <= Duration{}) refuse_arguments("--timeout: it must be longer than nothing");
  return {
      .slots = options.jobs.value_or(options.on_cluster() ? 0 : usable_cpus()),
      .items_per_job = options.items_per_job,
      .order = options.as_ready ? command::OutputOrder::completion : command::OutputOrder::input,
      .halt = options.halt == "now"    ? Halt::now
              : options.halt == "soon" ? Halt::soon
                                       : Halt::never,
      .retries = options.retries,
      .timeout = *timeout,
      .dry_run = options.dry_run,
      .results = options.results};
}

command::CommandTemplate command_template(const MapOptions& options) {
  if (!options.stray.empty()) {
    refuse_arguments(
        fmt::format("unexpected '{}': the command stands behind '--', as in artel map -j 4 -- "
                    "gzip {{}}",
                    options.stray.front()));
  }
  auto command = command::CommandTemplate::parse(
      options.command, options.shell ? command::Reader::shell : command::Reader::program);
  if (!command)
    refuse_arguments("which command? It stands behind '--'; artel map --help shows examples");
  return std::move(*command);
}

// How the cluster's queues are to be used.
cluster::QueueOptions check_cluster(const MapOptions& options,
                                    const command::JobLoopOptions& loop) {
  if (!options.on_cluster()) {
    if (options.dispatch.policy.empty()) return {};
    refuse_arguments(
        "--policy: here, a job is started when a slot is free, so none ever waits at one; it is "
        "for --cluster");
  }
  if (!options.record.empty()) {
    refuse_arguments("--record: a trace is of one machine; use --joblog with --cluster");
  }
  if (const auto possible = check_for_cluster(loop, options.command); !possible) {
    refuse(possible.error());
  }
  auto queue = queue_options(options.dispatch);
  if (!queue) refuse(queue.error());
  return *std::move(queue);
}

command::RunSummary run(const command::CommandTemplate& command, command::InputItems& items,
                        command::JobLoopOptions loop, const MapOptions& options,
                        const cluster::QueueOptions& queue) {
  if (!options.on_cluster() || options.dry_run) {
    loop.slots = std::max<std::size_t>(loop.slots, 1);
    return command::JobLoop(command, items, std::move(loop)).run();
  }
  auto summary = run_on_cluster(command, items, loop, options.cluster, queue);
  if (summary) return *std::move(summary);
  print_errors({summary.error()});
  throw CLI::RuntimeError(kBroken);
}

void map(MapOptions& options) {
  open_standard_files();
  const auto items = open_items(options);
  const auto command = command_template(options);
  auto loop = loop_options(options);
  const auto queue = check_cluster(options, loop);
  auto records = open_records(options);

  StopSignals signals;
  loop.control_file = signals.file();
  loop.control = [&] {
    const auto request = signals.read();
    if (request == command::StopRequest::soon) {
      fmt::print(stderr, "artel: no more jobs; waiting for those that run. Again: kill them\n");
    }
    return request;
  };
  loop.skip = [&](std::uint64_t job) {
    return records.earlier.succeeded.contains(job) ||
           (!options.resume_failed && records.earlier.failed.contains(job));
  };
  loop.finished = [&](const JobReport& report) { return record(records, report); };
  std::optional<ProgressBar> bar;
  if (options.progress) {
    bar.emplace();
    loop.progress = [&](const command::JobProgress& progress) { bar->show(progress); };
    loop.before_print = [&] { bar->hide(); };
  }

  auto summary = run(command, *items, std::move(loop), options, queue);
  if (records.trace) {
    auto finished = records.trace->finish();
    if (!finished && !summary.failure) summary.failure = finished.error();
  }
  if (bar) {
    bar->finish({.done = summary.succeeded + summary.failed + summary.skipped,
                 .failed = summary.failed,
                 .input = items->share()});
  }
  if (summary.failure && summary.failure->code != ErrorCode::closed) {
    fmt::print(stderr, "artel: {}\n", to_string(*summary.failure));
  }
  throw CLI::RuntimeError(exit_status(summary, signals.signal()));
}

constexpr const char* kFooter =
    "Items are lines of standard input, of a file, or the words behind ':::'. Each is one "
    "argument,\n"
    "whatever is in it; no shell reads it as code, not even with --shell. Placeholders:\n"
    "  {}   the item        {.}  without its extension   {#}  number of the job\n"
    "  {/}  its file name   {/.} both                    {%}  number of the slot, 1 to --jobs\n"
    "  {//} its folder      none of them: items are appended to the command\n"
    "Outputs never mix: each job's comes whole, in order of the input; what cannot be printed yet\n"
    "goes to a temporary file ($TMPDIR) when it is more than 32 MB. Jobs read /dev/null.\n"
    "A job is started when a slot is free, so none ever waits at a slot: --policy is for "
    "--cluster.\n\n"
    "--cluster URL runs the jobs at workers ('artel worker --allow-commands'), in their folders;\n"
    "'local' starts a server and workers here. A job whose worker is lost is run again, so it "
    "may\n"
    "run twice; what runs when the second Ctrl-C comes goes on there. Not with --results, "
    "--record,\n"
    "--halt now or {%}.\n\n"
    "Exit status: the number of failed jobs, 101 for more; 2 bad arguments, 126 the command "
    "cannot\n"
    "be run, 127 it was not found, 128+n ended by signal n (130: Ctrl-C; the first lets running\n"
    "jobs finish, the second kills them; 141: nobody reads the output), 255 input, output or log\n"
    "failed.\n\n"
    "Examples:\n"
    "  ls *.wav | artel map -- flac --best {}\n"
    "  find . -name '*.log' -print0 | artel map -0 -j 4 -- gzip -9\n"
    "  artel map --shell -- 'sort -u {} | wc -l' ::: logs/*\n"
    "  artel map --cluster nats://broker:4222 --joblog log -a urls -- curl -sf\n"
    "  artel map --joblog log --resume --retries 2 --timeout 5min -a urls -- curl -sfO\n";

void add_input_options(CLI::App& command, MapOptions& options) {
  command.add_option("-a,--arg-file", options.file, "Items from this file; default: stdin")
      ->type_name("FILE");
  command.add_flag("-0,--null", options.null, "Items end with null bytes instead of line breaks");
  command
      .add_option("-n,--chunk", options.items_per_job,
                  "Items for each run of the command; a word with a placeholder is repeated")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000}))
      ->capture_default_str();
  command.add_flag("--shell", options.shell,
                   "The command is a script for /bin/sh; items are its parameters");
}

void add_run_options(CLI::App& command, MapOptions& options) {
  command
      .add_option("-j,--jobs", options.jobs,
                  "Jobs at once; default: usable processors, or all that a cluster takes")
      ->check(CLI::Range(std::size_t{1}, std::size_t{4096}));
  command
      .add_option("--halt", options.halt,
                  "When a job has failed: never; soon: start no more; now: kill the others too")
      ->check(CLI::IsMember({"never", "soon", "now"}))
      ->type_name("never|soon|now")
      ->capture_default_str();
  command.add_option("--retries", options.retries, "Try a failed job so many times more")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  command
      .add_option("--timeout", options.timeout,
                  "Kill an attempt that takes longer, and all it started: SIGTERM, SIGKILL 1 s "
                  "later; like 30s or 5min")
      ->type_name("TIME");
  command.add_flag("--dry-run", options.dry_run, "Print the commands instead of running them");
}

void add_output_options(CLI::App& command, MapOptions& options) {
  auto* const keep = command.add_flag("-k,--keep-order", options.keep_order,
                                      "Outputs in order of the input (the default)");
  command.add_flag("--as-ready", options.as_ready, "Outputs as jobs end")->excludes(keep);
  command
      .add_option("--results", options.results,
                  "Outputs into files DIR/N/stdout and DIR/N/stderr, N the job, unprinted")
      ->type_name("DIR");
  command
      .add_option("--joblog", options.job_log,
                  "Log of the jobs that are over, in GNU parallel's columns")
      ->type_name("FILE");
  auto* const resume = command.add_flag("--resume", options.resume,
                                        "Skip jobs that are in the log, and go on in it");
  command.add_flag("--resume-failed", options.resume_failed, "The same, but run failed ones again")
      ->excludes(resume);
  command.add_flag("--progress", options.progress, "Bar, rate and time left on stderr");
  command
      .add_option("--record", options.record,
                  "Trace of the jobs for artel's other commands; a slot is a worker")
      ->type_name("TRACE");
}

}  // namespace

void add_map(CLI::App& artel, std::vector<std::string> command_line) {
  auto& command = *artel.add_subcommand(
      "map", "Run a command for every item of the input, some at a time: artel map -- gzip {}");
  const auto options = std::make_shared<MapOptions>();
  options->command = std::move(command_line);
  command.add_option("command", options->stray)->group("");
  add_input_options(command, *options);
  add_run_options(command, *options);
  add_output_options(command, *options);
  add_cluster_flags(command, options->cluster,
                    "Run the jobs at the workers of a cluster: nats://host:port[,…], tls://…, or "
                    "local");
  add_dispatch_flags(command, options->dispatch);
  command.footer(kFooter);
  command.callback([options] { map(*options); });
}

}  // namespace artel::app
