#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/config/problems.hpp"
#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/file/protect_inputs.hpp"

namespace artel::app {

void finish(ExitStatus status) { finish(static_cast<int>(status)); }

void finish(int status) { throw Finished{status}; }

// A place in a file comes first, as compilers have it, for editors to read.
void print_errors(const config::Errors& errors) {
  for (const auto& error : errors) {
    const auto& where = error.where;
    const auto colon = where.find(':');
    const bool is_place = colon != std::string::npos && colon + 1 < where.size() &&
                          where[colon + 1] >= '0' && where[colon + 1] <= '9';
    const bool has_name = is_place || where.starts_with("artel");
    fmt::print(stderr, "{}{}\n", has_name ? "" : "artel: ", to_string(error));
  }
}

void refuse(const Error& error, ExitStatus status) {
  print_errors({error});
  finish(status);
}

namespace {

constexpr const char* kArtelFooter = R"(Examples:
  artel simulate scenarios/mm8.toml              compare dispatch policies
  artel plan scenarios/mm8.toml --slo 'p99<6s'    find the smallest pool that meets an objective
  artel arena central 'jsq(d=2)' random           rank policies over a library of scenarios
  ls *.log | artel map -- gzip -k {}             run a command for every line
  artel check scenarios/*.toml                    find mistakes before running
  artel plan access.log --slo 'p99<300ms'        the same from a web server's log
  artel import access.log -o web.trace           make a trace of a log
  artel trace summary pool.trace                 look into a recorded run
  artel replay pool.trace                        predict it, and compare
  artel calibrate pool.trace -o pool.toml        make a scenario of it
  artel worker --cluster nats://broker:4222       work for others
  artel top :9464                                 look at running pools and workers
  artel watch access.log --slo 'p99<300ms'       what the fleet needs in the next hour
  artel help COMMAND                              options and examples of a command

Exit status: 0 done; 1 the work failed; 2 bad input (arguments, scenario, trace, output);
130 interrupted; those of map are in its help. Results go to stdout, everything for humans
to stderr.
)";

constexpr const char* kFirstCommands =
    R"(artel runs commands over many items, and tells how many workers a service needs.

Three to try:
  artel demo                                     which policy, how many workers? From a real hour
  seq 5 | artel map -- sh -c 'sleep 1; echo {}'  a command for every line, several at a time
  artel help                                     all commands

)";

int status(ExitStatus exit_status) { return static_cast<int>(exit_status); }

// What could have been meant: the options of the subcommand in use, or the subcommands.
std::string explain_unexpected(const Subcommand& command, std::string_view found) {
  std::vector<std::string> names;
  if (found.starts_with('-')) {
    names = command.option_names();
  } else {
    for (const auto& subcommand : command.subcommands()) names.push_back(subcommand.name());
  }
  if (names.empty()) return fmt::format("unexpected argument '{}'", found);
  const std::vector<std::string_view> allowed(names.begin(), names.end());
  return unknown_name(found.starts_with('-') ? "option" : "command",
                      found.substr(0, found.find('=')), allowed);
}

// Nothing: it is not a subcommand that is missing.
std::optional<std::string> explain_missing(const Subcommand& command) {
  std::vector<std::string> names;
  for (const auto& subcommand : command.subcommands()) names.push_back(subcommand.name());
  if (names.empty()) return std::nullopt;
  return fmt::format("expected a command: {}", join(names, ", "));
}

int refuse_misuse(const Misuse& misuse, const CommandLine& line) {
  const auto chosen = line.chosen();
  const auto command = chosen.empty() ? line.top() : chosen.back();
  const auto what = misuse.unexpected.empty()
                        ? explain_missing(command).value_or(misuse.what)
                        : explain_unexpected(command, misuse.unexpected.front());
  fmt::print(stderr, "artel: {}\nTry 'artel {}--help'.\n", what,
             chosen.empty() ? "" : chosen.front().name() + " ");
  return status(ExitStatus::bad_input);
}

int run_artel(int argc, char** argv) {
  file::protect_inputs();
  CommandLine line(
      "artel", "Spread tasks over workers: simulate dispatch policies, plan pools, run the work.");
  line.version("artel " ARTEL_VERSION);
  Subcommand artel = line.top();
  artel.footer(kArtelFooter);
  add_demo(artel);
  add_simulate(artel);
  add_plan(artel);
  add_arena(artel);
  add_tune(artel);
  add_check(artel);
  add_import(artel);
  add_trace(artel);
  add_calibrate(artel);
  add_replay(artel);
  // A command behind `--` is not ours to read.
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const auto begins_with = [&](std::initializer_list<std::string_view> names) {
    return words.size() > names.size() && std::ranges::equal(names, words.subspan(1, names.size()));
  };
  const bool has_command = begins_with({"map"}) || begins_with({"cluster", "scale"});
  const auto dashes = has_command ? std::ranges::find(words, std::string_view("--")) : words.end();
  const std::vector<std::string> command(dashes == words.end() ? dashes : std::next(dashes),
                                         words.end());
  argc = static_cast<int>(dashes - words.begin());
  add_map(artel, command);
  add_worker(artel);
  add_cluster(artel, command);
  add_top(artel);
  add_watch(artel);
  add_help(artel);
  add_completion(artel);
  add_manual(artel);

  if (argc == 1) {
    fmt::print(stderr, "{}", kFirstCommands);
    return status(ExitStatus::bad_input);
  }
  try {
    if (const auto misuse = line.read(argc, argv)) return refuse_misuse(*misuse, line);
  } catch (const Finished& finished) {
    return finished.status;
  }
  return status(ExitStatus::ok);
}

// A full disk behind stdout must not pass for success.
int flush(int exit_status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_status;
  fmt::print(stderr, "artel: cannot write to standard output: {}\n",
             std::error_code(errno, std::generic_category()).message());
  return status(ExitStatus::bad_input);
}

}  // namespace
}  // namespace artel::app

int main(int argc, char** argv) {
  // A file that grows past its limit (ulimit -f) is then a failed write, with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return artel::app::flush(artel::app::run_artel(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "artel: %s\n", error.what());
    return static_cast<int>(artel::app::ExitStatus::failed);
  }
}
