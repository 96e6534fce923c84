#include "app/map_command.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/map_inputs.hpp"
#include "app/map_pipe.hpp"
#include "app/map_run_options.hpp"
#include "artel/command/shell_quote.hpp"

namespace artel::app {
namespace {

constexpr const char* kMapFooter =
    R"(Items are lines of standard input, of a file, or the words behind ':::'. Each is one argument,
whatever is in it; no shell reads it as code, not even with --shell: there it is "$1", or {}
as a word of its own. Placeholders:
  {}   the item        {.}  without its extension   {#}  number of the job
  {/}  its file name   {/.} both                    {%}  number of the slot, 1 to --jobs
  {//} its folder      none of them: items are appended to the command
  {%.txt} {#pre}       without this suffix, this prefix
  {/regex/text/}       with text (\1: its first group) for what matches; /g}: every time
  {2} {2/.} {name}     the second input's, a field's; {-1}: the last one
Several inputs give all combinations: ::: A B ::: 1 2; ':::+' goes along with the one before;
'::::' and '::::+' are followed by files. Without a command, the items are commands.
Outputs never mix: each job's comes whole, in order of the input; what cannot be printed yet
goes to a temporary file ($TMPDIR) when it is more than 32 MB. Jobs read /dev/null.
A job is started when a slot is free, so none ever waits at a slot: --policy is for --cluster.

--ssh HOST,4/HOST runs the jobs at these hosts, over ssh, in the home folders there; the hosts
need no artel. A job whose host is lost runs again at another one.
--cluster URL runs the jobs at workers ('artel worker --allow-commands'), in their folders;
'local' starts a server and workers here. A job whose worker is lost is run again, so it may
run twice; what runs when the second Ctrl-C comes goes on there. Not with --results, --record,
--halt now, -u, --line-buffer, --tty, --nice or {%}.

Exit status: the number of failed jobs, 101 for more; 2 bad arguments, 126 the command cannot
be run, 127 it was not found, 128+n ended by signal n (130: Ctrl-C; the first lets running
jobs finish, the second kills them; 141: nobody reads the output), 255 input, output or log
failed.

Examples:
  ls *.wav | artel map -- flac --best {}
  find . -name '*.log' -print0 | artel map -0 -j 4 -- gzip -9
  artel map --shell -- 'sort -u {} | wc -l' ::: logs/*
  artel map --ssh alpha,4/beta --joblog log -a urls -- curl -sf
  artel map --cluster nats://broker:4222 --joblog log -a urls -- curl -sf
  artel map --joblog log --resume --retries 2 --timeout 5min -a urls -- curl -sfO
)";

void add_input_options(Subcommand command, MapCommand& map) {
  add_item_options(command, map.items);
  command
      .option("-n,-N,-L,--chunk,--max-args", map.items_per_job,
              "Items for each run of the command; a word with a placeholder is repeated")
      .range(std::size_t{1}, std::size_t{1'000'000})
      .show_default();
  map.items_per_job = 0;  // when the help has been told what it comes to
  command.flag("-X,--xargs", map.pack,
               "As many items for each run as a command line takes, spread over --jobs at the end");
  command.flag("-m", map.pack_apart, "The same, where each item is a word of its own");
  command
      .option("-s,--max-chars", map.bytes_max,
              "Bytes of a command line at most; default: 131072, or less if the system has less")
      .type_name("BYTES");
  add_pipe_options(command, map.pipe);
  command.option("-I,--replace", map.token, "What stands for the item, instead of all placeholders")
      .type_name("TEXT");
  command
      .optional_value(
          "--shell", "/bin/sh", map.shell,
          "The command is a script for /bin/sh, or for this shell, --shell=bash; the item is "
          "\"$1\" there, or {} as a word")
      .value_text("[=SHELL]");
}

void add_run_options(Subcommand command, MapCommand& map) {
  command.option("--retries", map.retries, "Try a failed job so many times more")
      .range(0, 1'000'000)
      .show_default();
  add_start_options(command, map.run);
  command.flag("--dry-run,--dryrun", map.dry_run, "Print the commands instead of running them");
  command.flag("-t,--verbose", map.show_commands, "Print each command on stderr before it runs");
  command.flag("-p,--interactive", map.ask, "Ask at the terminal whether each command is to run");
}

void add_output_options(Subcommand command, MapCommand& map) {
  const auto keep = command.flag("-k,--keep-order", map.keep_order,
                                 "Outputs in order of the input (the default)");
  command.flag("--as-ready", map.as_ready, "Outputs as jobs end").excludes(keep);
  add_print_options(command, map.run);
  command
      .option("--joblog", map.job_log,
              "Log of the jobs whose output is printed, in GNU parallel's columns")
      .type_name("FILE");
  const auto resume =
      command.flag("--resume", map.resume, "Skip jobs that are in the log, and go on in it");
  command.flag("--resume-failed", map.resume_failed, "The same, but run failed ones again")
      .excludes(resume);
  command.flag("--progress,--bar,--eta", map.progress, "Bar, rate and time left on stderr");
  command
      .option("--record", map.record,
              "Trace of the jobs for artel's other commands; a slot is a worker")
      .type_name("TRACE");
}

}  // namespace

void add_map_options(Subcommand command, MapCommand& map) {
  command.usage("artel map [OPTIONS] -- COMMAND [::: ITEMS]");
  command.command_follows();
  add_input_options(command, map);
  add_run_options(command, map);
  add_output_options(command, map);
  map.cluster.add_options(command);
  map.ssh.add_options(command);
  command.footer(kMapFooter);
}

std::vector<std::string> options_of_retry(const Subcommand& map) {
  return map.given(
      {// what the items are
       "-E", "--arg-file", "--null", "--delimiter", "--colsep", "--csv", "--header", "--link",
       "--shuf", "--quote", "--no-run-if-empty", "--pipe", "--block", "--recend", "--recstart",
       // what the command is
       "--chunk", "--xargs", "-m", "--max-chars", "--replace", "--shell", "--dry-run",
       // of the log; --record would replace the trace of this run
       "--joblog", "--resume", "--resume-failed", "--retry-failed", "--trust-log", "--record"});
}

std::string retry_hint(const MapCommand& options) {
  const bool needs_items = options.pipe.asked ||
                           options.run.results.find('{') != std::string::npos ||
                           options.run.tag_string.find('{') != std::string::npos;
  if (needs_items) return "To run them again: the same command and input, with --resume-failed\n";
  const auto& log = options.job_log;
  std::vector<std::string> words{"artel", "map", "--joblog",
                                 (log.starts_with('-') ? "./" : "") + log, "--retry-failed"};
  words.insert(words.end(), options.given.begin(), options.given.end());
  return fmt::format("To run them again: {}\n", command::shell_quote(words));
}

}  // namespace artel::app
