#include "app/map_inputs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "app/command_line.hpp"
#include "artel/command/combined_items.hpp"
#include "artel/command/field_items.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/items_until.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/command/shuffled_items.hpp"
#include "artel/core/error.hpp"
#include "artel/file/protect_inputs.hpp"

namespace artel::app {
namespace {

using command::CombinedItems;
using command::InputItems;

tl::unexpected<Error> refused(std::string what) {
  return fail(ErrorCode::invalid, std::move(what), "artel map");
}

// A character, as it is or as \n, \t, \0, \\, \x2c.
std::optional<char> delimiter_of(std::string_view text) {
  if (text.size() == 1) return text.front();
  if (!text.starts_with('\\')) return std::nullopt;
  constexpr std::string_view kNames = "nt0\\r";
  constexpr std::string_view kValues("\n\t\0\\\r", 5);
  const auto at = text.size() == 2 ? kNames.find(text[1]) : std::string_view::npos;
  if (at != std::string_view::npos) return kValues[at];
  unsigned value = 0;
  if (!text.starts_with("\\x") || text.size() > 4) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return static_cast<char>(value);
}

class Opener {
 public:
  explicit Opener(const ItemOptions& options) : options_(options) {}

  Result<MapInputs> open(std::vector<std::string> words, std::size_t items_per_job) {
    if (auto set = set_separator(); !set) return fail(set);
    for (const auto& name : options_.files) {
      if (auto added = add_file(name, false); !added) return fail(added);
    }
    auto command = take_sections(std::move(words));
    if (!command) return fail(command);
    if (sources_.empty()) {
      if (auto added = add_file("-", false); !added) return fail(added);
    }
    return combined(std::move(*command), items_per_job);
  }

 private:
  Result<void> set_separator() {
    if (options_.csv && !options_.columns.empty()) {
      return refused("--csv has commas between fields, --colsep something else");
    }
    const auto separator = separator_of(options_);
    if (!separator) return fail(separator);
    separator_ = *separator;
    return {};
  }

  // What stands before the first of the marks is the command.
  Result<std::vector<std::string>> take_sections(std::vector<std::string> words) {
    constexpr std::array<std::string_view, 4> kMarks{":::", ":::+", "::::", "::::+"};
    const auto is_mark = [&](const std::string& word) {
      return std::ranges::find(kMarks, word) != kMarks.end();
    };
    const auto first = std::ranges::find_if(words, is_mark);
    for (auto mark = first; mark != words.end();) {
      const auto end = std::find_if(std::next(mark), words.end(), is_mark);
      const bool linked = mark->ends_with('+');
      if (linked && sources_.empty()) {
        return refused(fmt::format("{}: there is no input before it to go along with", *mark));
      }
      std::vector<std::string> section(std::make_move_iterator(std::next(mark)),
                                       std::make_move_iterator(end));
      if (mark->starts_with("::::")) {
        for (const auto& name : section) {
          if (auto added = add_file(name, linked); !added) return fail(added);
        }
      } else {
        add(std::make_unique<command::ListedItems>(std::move(section)), linked);
      }
      mark = end;
    }
    words.erase(first, words.end());
    return words;
  }

  void add(std::unique_ptr<InputItems> items, bool linked) {
    if (!options_.end.empty()) {
      items = std::make_unique<command::ItemsUntil>(std::move(items), options_.end);
    }
    sources_.push_back({.items = std::move(items), .linked = linked});
  }

  Result<void> add_file(const std::string& name, bool linked) {
    if (name == "-") {
      if (std::exchange(reads_stdin_, true)) return refused("standard input can be read once");
      if (::isatty(STDIN_FILENO) != 0) {
        fmt::print(stderr, "artel: reading items from the terminal, one a line; Ctrl-D ends\n");
      }
    }
    auto input = open_input(name);
    if (!input) return fail(input);
    add(std::make_unique<command::ItemReader>(input->file, separator_, std::move(input->name)),
        linked);
    return {};
  }

  Result<MapInputs> combined(std::vector<std::string> command, std::size_t items_per_job) {
    MapInputs inputs{.command = std::move(command), .items = {}, .fields = {}};
    const bool split = options_.csv || !options_.columns.empty();
    for (auto& source : sources_) {
      if (options_.csv) {
        source.items = command::FieldItems::by_csv(std::move(source.items));
      } else if (split) {
        auto fields = command::FieldItems::by_regex(std::move(source.items), options_.columns);
        if (!fields) return refused("--colsep: " + fields.error().what);
        source.items = std::move(*fields);
      }
    }
    auto names = read_names();
    if (!names) return fail(names);
    inputs.fields.names = std::move(*names);
    inputs.fields.of_job = sources_.size() == 1 && !split;
    inputs.fields.count = split ? 0 : inputs.fields.of_job ? items_per_job : sources_.size();
    if (sources_.size() == 1) {
      inputs.items = std::move(sources_.front().items);
    } else {
      inputs.items = std::make_unique<CombinedItems>(std::move(sources_), options_.link);
    }
    if (options_.shuffle) {
      inputs.items = std::make_unique<command::ShuffledItems>(std::move(inputs.items));
    }
    return inputs;
  }

  // Of fields: "a,b", or for ":" the first of each input.
  Result<std::vector<std::string>> read_names() {
    std::vector<std::string> names;
    std::string_view rest = options_.header;
    if (rest == ":") {
      for (const auto& source : sources_) {
        const auto header = command::wait_for_item(*source.items);
        if (!header) return fail(header);
        const auto& line = *header;
        if (!line) continue;
        for (const auto name : command::fields_of(*line)) names.emplace_back(name);
      }
    } else if (!rest.empty()) {
      for (auto comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
        names.emplace_back(rest.substr(0, comma));
        rest.remove_prefix(comma + 1);
      }
      names.emplace_back(rest);
    }
    return names;
  }

  const ItemOptions& options_;
  char separator_ = '\n';
  bool reads_stdin_ = false;
  std::vector<CombinedItems::Source> sources_;
};

}  // namespace

Result<InputFile> open_input(const std::string& name) {
  const int how = ::fcntl(STDIN_FILENO, F_GETFL);
  if (name == "-" && (how < 0 || (how & O_ACCMODE) == O_WRONLY)) {
    return fail(ErrorCode::io,
                "it is closed, or open for writing only; items come from it, from -a FILE, or from "
                "the words behind :::",
                "standard input");
  }
  InputFile input{.file = STDIN_FILENO, .name = "standard input"};
  if (name != "-") input = {.file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC), .name = name};
  if (input.file < 0) {
    const std::error_code error(errno, std::generic_category());
    return fail(ErrorCode::io, fmt::format("cannot read: {}", error.message()), name);
  }
  if (const auto noted = file::note_input(name == "-" ? "/dev/stdin" : name); !noted)
    return fail(noted);
  return input;
}

Result<char> separator_of(const ItemOptions& options) {
  if (options.delimiter.empty()) return options.null ? '\0' : '\n';
  const auto delimiter = delimiter_of(options.delimiter);
  if (delimiter && !options.null) return *delimiter;
  return refused(
      fmt::format("--delimiter {}: one character, or \\n, \\t, \\0, \\x2c", options.delimiter));
}

void add_item_options(Subcommand command, ItemOptions& items) {
  command.option("-a,--arg-file", items.files, "Items from this file; again for a further input")
      .one_value_each()
      .type_name("FILE");
  command.flag("-0,--null", items.null, "Items end with null bytes instead of line breaks");
  command
      .option("-d,--delimiter", items.delimiter,
              "Items end with this character; \\n, \\t, \\x2c do")
      .type_name("CHAR");
  command
      .option("-C,--colsep", items.columns,
              "Cut each item into fields {1}, {2}, … at matches of this regular expression")
      .type_name("REGEX");
  command.flag("--csv", items.csv, "The same, at the commas of CSV");
  command
      .option("--header", items.header,
              "Names of fields, as in {name}; ':' takes them from the first line")
      .type_name("NAMES");
  command.flag("--link,--xapply", items.link,
               "Several inputs go along with each other, shorter ones again, instead of all "
               "combinations");
  command.option("-E", items.end, "Stop at an item of this text").type_name("TEXT");
  command.flag("--shuf", items.shuffle, "Jobs in an order by chance; all items are read before");
  // What others need said, and is always so here.
  command.flag("-q,--quote", items.quote, "").group("");
  command.flag("-r,--no-run-if-empty", items.no_run_if_empty, "").group("");
}

Result<MapInputs> open_inputs(std::vector<std::string> words, const ItemOptions& options,
                              std::size_t items_per_job) {
  return Opener(options).open(std::move(words), items_per_job);
}

}  // namespace artel::app
