#include "app/map_run_options.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "app/command_line.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/halt_rule.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_bytes.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/make_temporary_folder.hpp"
#include "artel/file/protect_inputs.hpp"

namespace artel::app {
namespace {

using command::Grouping;
using command::JobLoopOptions;
using command::OutputOrder;

constexpr std::size_t kJobsMax = 4096;
constexpr double kPercent = 100;

tl::unexpected<Error> wrong(const char* option, std::string_view text, const char* expected) {
  return fail(ErrorCode::invalid, fmt::format("found '{}'; expected {}", text, expected), option);
}

// A number, or a part of the processors: "50%".
std::optional<double> of_processors(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  const auto number = parse_number<double>(text);
  if (!number || !std::isfinite(*number) || *number < 0) return std::nullopt;
  return percent ? *number / kPercent * usable_cpus() : *number;
}

// "4", "0" (as many as possible), "+2" and "-1" (to the processors), "50%" (of them).
std::optional<std::size_t> parse_jobs(std::string_view text) {
  const bool plus = text.starts_with('+');
  if (plus || text.starts_with('-')) {
    const auto more = parse_number<std::size_t>(text.substr(1));
    if (!more) return std::nullopt;
    const std::size_t cpus = usable_cpus();
    return plus ? std::min(cpus + std::min(*more, kJobsMax), kJobsMax)
                : std::max<std::size_t>(cpus, *more + 1) - *more;
  }
  const auto number = of_processors(text);
  if (!number || *number > static_cast<double>(kJobsMax)) return std::nullopt;
  if (*number == 0) return kJobsMax;
  const bool whole = text.ends_with('%') || *number == std::floor(*number);
  if (!whole) return std::nullopt;
  return std::max<std::size_t>(static_cast<std::size_t>(std::llround(*number)), 1);
}

std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  if (!file::note_input(path)) return std::nullopt;
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
  return line;
}

// The number of jobs that a file says, which may change. It is looked at once a second; what is no
// number changes nothing.
class JobsFile {
 public:
  JobsFile(std::string path, std::size_t jobs) : path_(std::move(path)), jobs_(jobs) {}
  std::size_t operator()() {
    const Instant now = steady_now();
    if (now < next_) return jobs_;
    next_ = later(now, std::chrono::seconds(1));
    if (const auto line = first_line(path_)) jobs_ = parse_jobs(*line).value_or(jobs_);
    return jobs_;
  }

 private:
  std::string path_;
  std::size_t jobs_;
  Instant next_{};
};

Result<void> apply_jobs(const std::string& text, JobLoopOptions& loop) {
  if (text.empty()) return {};
  auto jobs = parse_jobs(text);
  if (!jobs && std::filesystem::is_regular_file(text)) {
    const auto line = first_line(text);
    jobs = line ? parse_jobs(*line) : std::nullopt;
    if (jobs) loop.slots_now = JobsFile(text, *jobs);
  }
  if (!jobs) {
    return wrong("--jobs", text,
                 "1 to 4096, 0 for as many as possible, +N or -N for the processors and so many "
                 "more or less, N% of them, or a file that says so");
  }
  loop.slots = *jobs;
  return {};
}

// A duration, or seconds: "2.5". Negative: it is neither, or too long.
Duration time_of(std::string_view text) {
  constexpr Duration kMax = std::chrono::hours(24 * 366);
  const auto seconds = parse_number<double>(text);
  if (seconds && std::isnan(*seconds)) return Duration{-1};
  const Duration time = seconds ? from_seconds(*seconds) : parse_duration(text).value_or(kForever);
  return time <= kMax ? time : Duration{-1};
}

Result<void> parse_time(const char* option, const std::string& text, Duration least,
                        Duration& time) {
  if (text.empty()) return {};
  const Duration found = time_of(text);
  if (found < least) {
    return wrong(option, text,
                 least > Duration{}
                     ? "a time above 0 and up to 366d: seconds, or like 90s, 5min, 1h30m"
                     : "a time up to 366d: seconds, or like 90s, 5min, 1h30m");
  }
  time = found;
  return {};
}

// "2GiB", as parallel has it "2G", or bytes.
Result<std::uint64_t> parse_size(const char* option, std::string text) {
  constexpr double kMax = 1e18;
  const std::string given = text;
  if (!text.empty() && text.back() != 'B' && text.back() != 'b') text += 'B';
  const auto bytes = parse_bytes(text);
  if (!bytes || *bytes > kMax) return wrong(option, given, "a size like 500MB or 2GiB");
  return static_cast<std::uint64_t>(*bytes);
}

// A text with placeholders for what a job is about.
using JobText = std::function<std::string(std::uint64_t job, std::span<const std::string> items)>;

Result<JobText> job_text(const std::string& text) {
  const std::vector<std::string> words{text};
  auto parsed = command::CommandTemplate::parse(words, command::TemplateOptions{.append = false});
  if (!parsed) return fail(parsed);
  const auto shared = std::make_shared<const command::CommandTemplate>(std::move(*parsed));
  return [shared](std::uint64_t job, std::span<const std::string> items) {
    return shared->expand({.items = items, .job = job, .slot = 1}).front();
  };
}

std::string items_with_tab(std::uint64_t /*job*/, std::span<const std::string> items) {
  std::string text;
  for (const auto& item : items) text += item + (&item == &items.back() ? '\t' : ' ');
  std::ranges::replace(text, command::kFieldSeparator, ' ');
  return text;
}

Result<void> apply_start(const MapRunOptions& options, JobLoopOptions& loop) {
  if (auto jobs = apply_jobs(options.jobs, loop); !jobs) return jobs;
  const auto halt = command::parse_halt_rule(options.halt);
  if (!halt) return fail(halt);
  loop.halt = *halt;
  const auto times =
      parse_time("--timeout", options.timeout, Duration{1}, loop.timeout)
          .and_then([&] { return parse_time("--linger", options.linger, {}, loop.linger); })
          .and_then([&] { return parse_time("--delay", options.delay, {}, loop.start.delay); });
  if (!times) return fail(times);
  if (!options.load.empty()) {
    const auto load = of_processors(options.load);
    if (!load || *load <= 0) return wrong("--load", options.load, "a load like 1.5, or 80%");
    loop.start.load_max = *load;
  }
  if (!options.free_memory.empty()) {
    const auto bytes = parse_size("--memfree", options.free_memory);
    if (!bytes) return fail(bytes);
    const auto memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    if (*bytes >= memory) {
      return wrong("--memfree", options.free_memory, "less than the memory of this machine");
    }
    loop.start.free_memory = *bytes;
  }
  loop.nice = static_cast<int>(options.nice);
  loop.tty = options.tty;
  return {};
}

Result<void> apply_print(const MapRunOptions& options, JobLoopOptions& loop) {
  if (options.tty) {
    if (!options.jobs.empty() && loop.slots != 1) {
      return fail(ErrorCode::invalid, "--tty: one job at a time has the terminal, so -j 1",
                  "artel map");
    }
    loop.slots = 1;
  }
  if (options.tty || options.ungroup) loop.grouping = Grouping::none;
  if (options.line_buffer) loop.grouping = Grouping::lines;
  if (loop.grouping != Grouping::job) loop.order = OutputOrder::completion;
  if (options.tag) loop.tag = items_with_tab;
  if (!options.tag_string.empty()) {
    auto text = job_text(options.tag_string);
    if (!text) return fail(text);
    loop.tag = [tag = *std::move(text)](auto job, auto items) { return tag(job, items) + '\t'; };
  }
  if (!options.spill_max.empty()) {
    const auto bytes = parse_size("--spill-max", options.spill_max);
    if (!bytes) return fail(bytes);
    loop.disk_max = *bytes;
  }
  loop.print_paths = options.files;
  std::string results = options.results;
  if (results.empty() && options.files) {
    auto folder = file::make_temporary_folder("artel-map-");  // it stays
    if (!folder) return fail(folder);
    results = folder->string();
  }
  if (results.find('{') == std::string::npos) {
    loop.results = results;
  } else {
    auto text = job_text(results);
    if (!text) return fail(text);
    loop.results_of = *std::move(text);
  }
  return {};
}

}  // namespace

std::optional<std::size_t> MapRunOptions::slots() const {
  JobLoopOptions loop;
  if (jobs.empty() || !apply_jobs(jobs, loop)) return std::nullopt;
  return loop.slots;
}

Result<void> MapRunOptions::apply(JobLoopOptions& loop) const {
  if (auto applied = apply_start(*this, loop); !applied) return applied;
  return apply_print(*this, loop);
}

void add_start_options(Subcommand command, MapRunOptions& options) {
  command
      .option("-j,-P,--jobs,--max-procs", options.jobs,
              "Jobs at once: N, 0 for as many as possible, +N or -N for the processors and so many "
              "more or less, N% of them, or a file that says so and may change; default: usable "
              "processors, or all that a cluster takes")
      .type_name("N");
  command
      .option("--halt", options.halt,
              "When a job has failed: never; soon: start no more; now: kill the others too; also "
              "now,fail=3, soon,fail=10%, now,success=1, soon,done=100")
      .type_name("never|soon|now[,WHAT=N]")
      .show_default();
  command
      .option("--timeout", options.timeout,
              "Kill an attempt that takes longer, and all it started: SIGTERM, SIGKILL 1 s "
              "later; seconds, or like 5min, 1h30m")
      .type_name("TIME");
  command
      .option("--linger", options.linger,
              "Hear what an ended job has left in the background for so long; default: 10 s")
      .type_name("TIME");
  command.option("--delay", options.delay, "Between two starts, at least; as --timeout")
      .type_name("TIME");
  command
      .option("--load", options.load,
              "Start no job while the system's load of the last minute is not below this: a "
              "number, or N% of the processors")
      .type_name("LOAD");
  command
      .option("--memfree", options.free_memory,
              "Start no job while less memory is available, like 2GiB")
      .type_name("SIZE");
  command.option("--nice", options.nice, "Jobs are so much nicer to others").range(0, 19);
  command.flag("--tty", options.tty,
               "Jobs have the terminal, for questions and programs on it: one at a time, outputs "
               "as they come");
}

void add_print_options(Subcommand command, MapRunOptions& options) {
  const auto ungroup = command.flag(
      "-u,--ungroup", options.ungroup,
      "Jobs write to stdout and stderr themselves, so outputs mix; fastest, and at once");
  command
      .flag("--line-buffer,--lb", options.line_buffer,
            "Print each line as soon as it is there; lines of different jobs do not mix")
      .excludes(ungroup);
  const auto tag =
      command.flag("--tag", options.tag, "Begin each line of output with the job's items and a tab")
          .excludes(ungroup);
  command
      .option("--tagstring", options.tag_string,
              "Begin each line of output with this and a tab; placeholders as in the command")
      .type_name("TEXT")
      .excludes(tag)
      .excludes(ungroup);
  command
      .option("--results", options.results,
              "Outputs into files DIR/N/stdout and DIR/N/stderr, N the job, unprinted; with "
              "placeholders, like out/{/.}.txt, into that file and the same with .err")
      .type_name("DIR");
  command.flag("--files", options.files,
               "Print the names of the files with the outputs instead; without --results they are "
               "in a new folder in $TMPDIR");
  command
      .option("--spill-max", options.spill_max,
              "Disk for outputs that cannot be printed yet; jobs wait when it is used up. "
              "Default: half of what is free in $TMPDIR")
      .type_name("SIZE");
  command.flag("--retry-failed", options.retry_failed,
               "Run the failed jobs of the log again, with the commands that are in it; no shell "
               "reads them");
  command.flag("--trust-log", options.trust_log,
               "With --resume: skip jobs by their numbers, whatever their commands were");
}

}  // namespace artel::app
