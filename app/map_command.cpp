#include "app/map_command.hpp"

#include <cstddef>

#include "app/command_line.hpp"

namespace artel::app {
namespace {

constexpr const char* kMapFooter =
    "Items are lines of standard input, of a file, or the words behind ':::'. "
    R"(Each is one argument,
whatever is in it; no shell reads it as code, not even with --shell. Placeholders:
  {}   the item        {.}  without its extension   {#}  number of the job
  {/}  its file name   {/.} both                    {%}  number of the slot, 1 to --jobs
  {//} its folder      none of them: items are appended to the command
Outputs never mix: each job's comes whole, in order of the input; what cannot be printed yet
goes to a temporary file ($TMPDIR) when it is more than 32 MB. Jobs read /dev/null.
A job is started when a slot is free, so none ever waits at a slot: --policy is for --cluster.

--cluster URL runs the jobs at workers ('artel worker --allow-commands'), in their folders;
'local' starts a server and workers here. A job whose worker is lost is run again, so it may
run twice; what runs when the second Ctrl-C comes goes on there. Not with --results, --record,
--halt now or {%}.

Exit status: the number of failed jobs, 101 for more; 2 bad arguments, 126 the command cannot
be run, 127 it was not found, 128+n ended by signal n (130: Ctrl-C; the first lets running
jobs finish, the second kills them; 141: nobody reads the output), 255 input, output or log
failed.

Examples:
  ls *.wav | artel map -- flac --best {}
  find . -name '*.log' -print0 | artel map -0 -j 4 -- gzip -9
  artel map --shell -- 'sort -u {} | wc -l' ::: logs/*
  artel map --cluster nats://broker:4222 --joblog log -a urls -- curl -sf
  artel map --joblog log --resume --retries 2 --timeout 5min -a urls -- curl -sfO
)";

void add_input_options(Subcommand command, MapCommand& map) {
  command.option("-a,--arg-file", map.file, "Items from this file; default: stdin")
      .type_name("FILE");
  command.flag("-0,--null", map.null, "Items end with null bytes instead of line breaks");
  command
      .option("-n,--chunk", map.items_per_job,
              "Items for each run of the command; a word with a placeholder is repeated")
      .range(std::size_t{1}, std::size_t{100'000})
      .show_default();
  command.flag("--shell", map.shell,
               "The command is a script for /bin/sh; items are its parameters");
}

void add_run_options(Subcommand command, MapCommand& map) {
  command
      .option("-j,--jobs", map.jobs,
              "Jobs at once; default: usable processors, or all that a cluster takes")
      .range(std::size_t{1}, std::size_t{4096});
  command
      .option("--halt", map.halt,
              "When a job has failed: never; soon: start no more; now: kill the others too")
      .one_of({"never", "soon", "now"})
      .type_name("never|soon|now")
      .show_default();
  command.option("--retries", map.retries, "Try a failed job so many times more")
      .range(0, 1'000'000)
      .show_default();
  command
      .option("--timeout", map.timeout,
              "Kill an attempt that takes longer, and all it started: SIGTERM, SIGKILL 1 s "
              "later; like 30s or 5min")
      .type_name("TIME");
  command.flag("--dry-run", map.dry_run, "Print the commands instead of running them");
}

void add_output_options(Subcommand command, MapCommand& map) {
  const auto keep = command.flag("-k,--keep-order", map.keep_order,
                                 "Outputs in order of the input (the default)");
  command.flag("--as-ready", map.as_ready, "Outputs as jobs end").excludes(keep);
  command
      .option("--results", map.results,
              "Outputs into files DIR/N/stdout and DIR/N/stderr, N the job, unprinted")
      .type_name("DIR");
  command
      .option("--joblog", map.job_log, "Log of the jobs that are over, in GNU parallel's columns")
      .type_name("FILE");
  const auto resume =
      command.flag("--resume", map.resume, "Skip jobs that are in the log, and go on in it");
  command.flag("--resume-failed", map.resume_failed, "The same, but run failed ones again")
      .excludes(resume);
  command.flag("--progress", map.progress, "Bar, rate and time left on stderr");
  command
      .option("--record", map.record,
              "Trace of the jobs for artel's other commands; a slot is a worker")
      .type_name("TRACE");
}

}  // namespace

void add_map_options(Subcommand command, MapCommand& map) {
  command.option("command", map.stray, "").group("");
  add_input_options(command, map);
  add_run_options(command, map);
  add_output_options(command, map);
  map.cluster.add_options(command);
  command.footer(kMapFooter);
}

}  // namespace artel::app
