#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/map_command.hpp"
#include "app/map_inputs.hpp"
#include "app/map_pipe.hpp"
#include "app/map_porting.hpp"
#include "app/map_records.hpp"
#include "app/progress_bar.hpp"
#include "app/stop_signals.hpp"
#include "app/terminal.hpp"
#include "artel/command/child.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/packed_items.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/command/ssh_hosts.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"

namespace artel::app {
namespace {

// What artel map says with its exit status, besides the number of failed jobs.
constexpr std::uint64_t kFailedMax = 101;
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;
constexpr int kSignal = 128;  // plus its number
constexpr int kBroken = 255;

// How much longer quotes can make a text for the shell at another host.
constexpr std::size_t kQuotedMax = 4;
// For a job; what does not fit into a command line is cut before.
constexpr std::size_t kItemsMax = std::size_t{1} << 20U;

[[noreturn]] void refuse_arguments(const std::string& what) {
  refuse({ErrorCode::invalid, what, "artel map"});
}

bool is_open(int file) { return ::fcntl(file, F_GETFD) >= 0; }

// Files that the command opens must not get the numbers 0 to 2. Standard input that was closed
// cannot be read afterwards either, so it is not taken for an empty one.
void open_standard_files() {
  if (!is_open(STDOUT_FILENO)) {
    print_errors({{ErrorCode::io, "standard output is closed", "artel map"}});
    finish(kBroken);
  }
  int file = 0;
  do {
    file = ::open("/dev/null", (is_open(STDIN_FILENO) ? O_RDWR : O_WRONLY) | O_CLOEXEC);
  } while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0) ::close(file);
}

int exit_status(const MapCommand& options, const command::RunSummary& summary, int signal) {
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
  if (summary.halted && options.run.halt.find("success") != std::string::npos) return 0;
  return static_cast<int>(std::min(summary.failed, kFailedMax));
}

command::JobLoopOptions loop_options(const MapCommand& options) {
  command::JobLoopOptions loop{
      .slots = options.cluster.asked() ? 0 : usable_cpus(),
      .items_per_job = options.pack ? kItemsMax : options.items_per_job,
      .order = options.as_ready ? command::OutputOrder::completion : command::OutputOrder::input,
      .retries = options.retries,
      .dry_run = options.dry_run};
  if (const auto applied = options.run.apply(loop); !applied) refuse(applied.error());
  return loop;
}

// The shell of --shell; empty: none.
std::string shell_of(const MapCommand& options) {
  if (options.shell.empty() || options.shell.find('/') != std::string::npos) return options.shell;
  return command::find_program(options.shell).value_or(options.shell);
}

command::CommandTemplate command_template(const MapCommand& options, const MapInputs& inputs) {
  const auto shell = shell_of(options);
  const auto& words = inputs.command;
  if (words.empty() && options.pipe.asked) refuse_arguments("--pipe: which command?");
  if (words.empty()) {
    return command::CommandTemplate::items_are_scripts(shell.empty() ? "/bin/sh" : shell);
  }
  command::TemplateOptions reading{.fields = inputs.fields, .token = options.token};
  if (!shell.empty() && !options.pipe.asked) {
    reading.reader = command::Reader::shell;
    reading.shell = shell;
  }
  auto command = command::CommandTemplate::parse(
      options.pipe.asked
          ? reading_command(words, shell, options.token.empty() ? "{}" : options.token)
          : words,
      reading);
  if (!command) refuse({ErrorCode::invalid, to_string(command.error()), "artel map"});
  if (options.pack_apart && command->repeats_words()) {
    refuse_arguments("-m: items that share a word with other text: write {} as a word, or -X");
  }
  return std::move(*command);
}

// The command without "--" before it, as GNU parallel and xargs have it.
void take_words(MapCommand& options, const Subcommand& command) {
  auto words = command.words();
  if (words.empty()) return;
  if (words.front().size() > 1 && words.front().starts_with('-')) {
    refuse_arguments(explain_unknown_option(words.front(), command));
  }
  if (!options.command.empty()) words.emplace_back("--");
  options.command.insert(options.command.begin(), words.begin(), words.end());
}

// `records`: of each block of --pipe; 0: as many as it has room for.
MapInputs map_inputs(MapCommand& options, std::size_t records) {
  if (!options.pipe.asked) {
    auto inputs = open_inputs(std::move(options.command), options.items,
                              options.pack ? 0 : options.items_per_job);
    if (!inputs) refuse(inputs.error());
    return std::move(*inputs);
  }
  if (options.cluster.asked() || options.ssh.asked()) {
    refuse_arguments("--pipe: workers elsewhere cannot read the blocks of here");
  }
  if (options.ask) refuse_arguments("-p: blocks of --pipe have no commands of their own");
  auto blocks = open_blocks(options.pipe, options.items, records);
  if (!blocks) refuse(blocks.error());
  options.items_per_job = 1;
  MapInputs inputs{.command = std::move(options.command), .items = {}, .fields = {}};
  inputs.blocks = blocks->get();
  inputs.items = std::move(*blocks);
  return inputs;
}

// --retry-failed: the items are the commands of the log.
MapInputs failed_jobs(const MapCommand& options, const MapRecords& records) {
  if (!options.command.empty() || !options.shell.empty() || !options.items.files.empty() ||
      !options.token.empty() || options.pipe.asked || options.pack || options.items_per_job != 1) {
    refuse_arguments(
        "--retry-failed: the commands are in the log; with it there are no items, no -n, -X, -I, "
        "--pipe or --shell");
  }
  if (options.run.results.find('{') != std::string::npos) {
    refuse_arguments("--retry-failed: the log has no items for --results; name a folder");
  }
  auto commands = records.failed_commands();
  if (!commands) refuse(commands.error());
  MapInputs inputs{.command = {"{}"}, .items = {}, .fields = {}};  // an item is a command's words
  inputs.items = std::make_unique<command::ListedItems>(*std::move(commands));
  return inputs;
}

// Several items for each job, as far as a command line has room for them; nothing: one for each.
std::unique_ptr<command::InputItems> packed_items(const MapCommand& options,
                                                  command::InputItems& items,
                                                  const command::CommandTemplate& command) {
  if (!options.pack && options.items_per_job == 1) return nullptr;
  auto limits = command::pack_limits(command.fixed_bytes(), options.bytes_max);
  if (!limits) refuse_arguments(limits.error().what);
  if (options.ssh.asked()) limits->bytes_max /= kQuotedMax;
  if (options.items_per_job > 1) limits->items_max = options.items_per_job;
  if (options.pack) limits->spread = options.run.slots().value_or(usable_cpus());
  return std::make_unique<command::PackedItems>(
      items, *limits, [&command](std::string_view item) { return command.bytes_of(item); });
}

void check_cluster(MapCommand& options, const command::JobLoopOptions& loop,
                   const command::CommandTemplate& command) {
  if (options.cluster.asked() && !options.record.empty()) {
    refuse_arguments("--record: a trace is of one machine; use --joblog with --cluster");
  }
  if (const auto possible = options.cluster.check(loop, command); !possible) {
    refuse(possible.error());
  }
  if (options.ssh.asked() && options.cluster.asked()) {
    refuse_arguments("--ssh: hosts, or a --cluster");
  }
  if (const auto possible = options.ssh.check(loop); !possible) refuse(possible.error());
}

// -t and -p. `signals`: readable when one has come.
void show_commands(const MapCommand& options, command::JobLoopOptions& loop, int signals) {
  if (options.show_commands) {
    loop.starting = [hide = loop.before_print](std::span<const std::string> command) {
      if (hide) hide();
      fmt::print(stderr, "{}\n", command::shell_quote(command));
    };
  }
  if (!options.ask || options.dry_run) return;
  auto terminal = Terminal::open();
  if (!terminal) refuse(terminal.error());
  loop.ask = [terminal = std::make_shared<Terminal>(std::move(*terminal)),
              signals](std::span<const std::string> command) {
    return terminal->ask(command::shell_quote(command), signals);
  };
}

// A signal that comes before the jobs ends the run as one that comes among them.
command::RunSummary not_begun(const Error& error, const command::JobLoopOptions& loop) {
  if (error.code != ErrorCode::cancelled) return {.failure = error};
  static_cast<void>(loop.control());
  return {.interrupted = true, .failure = std::nullopt};
}

command::RunSummary run(const command::CommandTemplate& command, command::InputItems& items,
                        command::JobLoopOptions loop, const MapCommand& options) {
  if (!options.cluster.asked() || options.dry_run) {
    loop.slots = std::max<std::size_t>(loop.slots, 1);
    std::unique_ptr<command::SshHosts> hosts;
    if (options.ssh.asked() && !options.dry_run) {
      auto connected = options.ssh.connect(options.run.slots().value_or(0), loop);
      if (!connected) return not_begun(connected.error(), loop);
      hosts = std::move(*connected);
      loop.hosts = hosts.get();
      loop.slots = hosts->slots();
    }
    return command::JobLoop(command, items, std::move(loop)).run();
  }
  auto summary = options.cluster.run(command, items, loop);
  if (summary) return *std::move(summary);
  print_errors({summary.error()});
  finish(kBroken);
}

void map(MapCommand& options) {
  open_standard_files();
  options.pack = options.pack || options.pack_apart;
  const std::size_t counted =
      std::exchange(options.items_per_job, std::max<std::size_t>(options.items_per_job, 1));
  MapRecords records(options);
  auto inputs =
      options.run.retry_failed ? failed_jobs(options, records) : map_inputs(options, counted);
  const auto command = command_template(options, inputs);
  const auto packed = packed_items(options, *inputs.items, command);
  auto& items = packed ? *packed : *inputs.items;
  auto loop = loop_options(options);
  check_cluster(options, loop, command);
  records.begin();  // by now all inputs are open

  StopSignals signals;
  loop.control_file = signals.file();
  loop.control = [&] {
    const auto request = signals.read();
    if (request == command::StopRequest::soon) {
      fmt::print(stderr, "artel: no more jobs; waiting for those that run. Again: kill them\n");
    }
    return request;
  };
  loop.wait_for_continue = [&] { signals.wait_for_continue(); };
  records.listen(loop, command.uses_slot());
  if (inputs.blocks != nullptr) {
    loop.finished = [&inputs, next = std::move(loop.finished)](const command::JobReport& report) {
      inputs.blocks->release(report.job);
      return next(report);
    };
  }
  std::optional<ProgressBar> bar;
  if (options.progress) {
    bar.emplace();
    loop.progress = [&](const command::JobProgress& progress) { bar->show(progress); };
    loop.before_print = [&] { bar->hide(); };
  }

  loop.tell = [&](const std::string& text) {
    if (bar) bar->hide();
    fmt::print(stderr, "artel: {}\n", command::printable(text));
  };

  show_commands(options, loop, signals.file());

  auto summary = run(command, items, std::move(loop), options);
  if (const auto finished = records.finish(); !finished && !summary.failure) {
    summary.failure = finished.error();
  }
  const auto done = summary.succeeded + summary.failed + summary.skipped;
  if (bar) bar->finish({.done = done, .failed = summary.failed, .input = items.share()});
  if (!summary.failure || summary.failure->code != ErrorCode::closed) {
    fmt::print(stderr, "{}{}", records.failures(done - summary.skipped),
               records.kept(summary.kept));
    if (summary.failure) {
      fmt::print(stderr, "artel: {}\n", command::printable(to_string(*summary.failure)));
    }
  }
  finish(exit_status(options, summary, signals.signal()));
}

}  // namespace

void add_map(Subcommand artel, std::vector<std::string> command_line) {
  auto command = artel.subcommand(
      "map", "Run a command for every item of the input, some at a time: artel map -- gzip {}");
  const auto options = std::make_shared<MapCommand>();
  options->command = std::move(command_line);
  add_map_options(command, *options);
  command.action([options, command] {
    take_words(*options, command);
    options->given = options_of_retry(command);
    map(*options);
  });
}

}  // namespace artel::app
