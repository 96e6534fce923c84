#pragma once

#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "artel/config/problems.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// How the command ends; `artel --help` lists them.
enum class ExitStatus {
  ok = 0,
  failed = 1,         ///< the work could not be done, though what was asked for made sense
  bad_input = 2,      ///< arguments, scenario, trace or output file
  interrupted = 130,  ///< Ctrl-C; what was finished is printed, marked incomplete
};

/// Ends the running subcommand; call it from a callback. Without it the command ends with `ok`.
[[noreturn]] void finish(ExitStatus status);

/// Same, for subcommands with numbers of their own.
[[noreturn]] void finish(int status);

/// Shows the mistakes to the person in front of the terminal (stderr), one per line.
void print_errors(const config::Errors& errors);

/// Shows the mistake and ends the running subcommand.
[[noreturn]] void refuse(const Error& error, ExitStatus status = ExitStatus::bad_input);

/// Refuses the mistake, if there is one: as `interrupted` if the subcommand was asked to stop, else
/// as `bad_input`.
template <class T>
void demand(const Result<T>& result) {
  if (result) return;
  refuse(result.error(), result.error().code == ErrorCode::cancelled ? ExitStatus::interrupted
                                                                     : ExitStatus::bad_input);
}

// One file per subcommand; each adds itself to the command line.
void add_arena(Subcommand artel);
void add_calibrate(Subcommand artel);
void add_check(Subcommand artel);
/// `command`: what stands behind `--`.
void add_cluster(Subcommand artel, std::vector<std::string> command);
void add_completion(Subcommand artel);
void add_demo(Subcommand artel);
/// Of every subcommand, and of scenarios.
void add_help(Subcommand artel);
void add_import(Subcommand artel);
/// `command`: what stands behind `--`.
void add_map(Subcommand artel, std::vector<std::string> command);
void add_manual(Subcommand artel);
void add_plan(Subcommand artel);
void add_replay(Subcommand artel);
void add_simulate(Subcommand artel);
void add_top(Subcommand artel);
void add_trace(Subcommand artel);
void add_tune(Subcommand artel);
void add_watch(Subcommand artel);
void add_worker(Subcommand artel);

/// What `artel help scenario` says: every key. Empty: built without scenarios.
[[nodiscard]] std::string scenario_help();

}  // namespace artel::app
