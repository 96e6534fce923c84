#include "app/map_pipe.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_line.hpp"
#include "app/map_inputs.hpp"
#include "artel/command/block_items.hpp"
#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/core/parse_bytes.hpp"

namespace artel::app {

void add_pipe_options(Subcommand command, PipeOptions& pipe) {
  command.flag("--pipe,--pipepart", pipe.asked,
               "Jobs read the input, a block of whole lines each, instead of getting items");
  command.option("--block", pipe.block, "Bytes of such a block; with -n: lines")
      .type_name("BYTES")
      .show_default();
  command
      .option("--recend", pipe.record_end,
              "What ends a record, instead of a line break; \\n, \\t, \\0 in it do")
      .type_name("TEXT");
  command
      .option("--recstart", pipe.record_start,
              "What each record begins with, like '>' in FASTA: blocks end before it")
      .type_name("TEXT");
}

namespace {

// As parse_bytes(), but 1M is 1MiB and a number is one of bytes, as others have it.
Result<double> block_bytes(std::string text) {
  if (text.ends_with('k')) text.back() = 'K';
  const bool digit = !text.empty() && text.back() >= '0' && text.back() <= '9';
  return parse_bytes(text + (digit ? "B" : text.ends_with('B') ? "" : "iB"));
}

// \n, \t, \0 and \\ as C has them.
std::string unescaped(std::string_view text) {
  constexpr std::string_view kNames = "nt0\\";
  constexpr std::string_view kValues("\n\t\0\\", 4);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto at =
        text[i] == '\\' && i + 1 < text.size() ? kNames.find(text[i + 1]) : std::string_view::npos;
    plain += at == std::string_view::npos ? text[i] : kValues[at];
    if (at != std::string_view::npos) ++i;
  }
  return plain;
}

// What ends a record and what begins the next.
Result<command::BlockLimits> record_limits(const PipeOptions& pipe, const ItemOptions& options) {
  command::BlockLimits limits{.record_end = unescaped(pipe.record_end),
                              .record_start = unescaped(pipe.record_start)};
  const auto separator = separator_of(options);
  if (!separator) return fail(separator);
  if (limits.record_end.empty() && limits.record_start.empty()) limits.record_end = *separator;
  return limits;
}

}  // namespace

Result<std::unique_ptr<command::BlockItems>> open_blocks(const PipeOptions& pipe,
                                                         const ItemOptions& options,
                                                         std::size_t records) {
  const auto bytes = block_bytes(pipe.block);
  if (!bytes || *bytes < 1) {
    return fail(ErrorCode::invalid, "--block: a number of bytes, as 1M", "artel map");
  }
  auto limits = record_limits(pipe, options);
  if (!limits) return fail(limits);
  limits->bytes = static_cast<std::size_t>(*bytes);
  limits->records = records;
  if (options.files.size() > 1) {
    return fail(ErrorCode::invalid, "--pipe reads one input", "artel map");
  }
  auto input = open_input(options.files.empty() ? "-" : options.files.front());
  if (!input) return fail(input);
  return std::make_unique<command::BlockItems>(input->file, std::move(*limits),
                                               std::move(input->name));
}

// A shell opens the block in the job's place: so each attempt reads it from its beginning.
std::vector<std::string> reading_command(const std::vector<std::string>& words,
                                         const std::string& shell, const std::string& placeholder) {
  std::vector<std::string> command{"/bin/sh", "-c", "exec \"$@\" < \"$0\"", placeholder};
  if (shell.empty()) {
    command.insert(command.end(), words.begin(), words.end());
  } else {
    for (const auto& word : {shell, std::string("-c"), join(words, " "), shell}) {
      command.push_back(word);
    }
  }
  return command;
}

}  // namespace artel::app
