#include "app/map_retry.hpp"

#include <fmt/core.h>

#include <iterator>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/map_command.hpp"
#include "artel/command/shell_quote.hpp"

namespace artel::app {

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
