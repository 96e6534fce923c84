#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
class Option;
}  // namespace CLI

// CLI11 behind a wall: it is all templates in headers, and costs seconds of compilation in each
// file that includes it. Only command_line.cpp does.
namespace artel::app {

/// What a completion offers for the options that have suggestions. The command line owns it.
using Suggestions = std::map<const CLI::Option*, std::vector<std::string_view>>;

/// More about an option of a subcommand. A handle: valid as long as the command line, cheap to
/// copy.
class Option {
 public:
  Option(CLI::Option& option, Suggestions& suggestions)
      : option_(&option), suggestions_(&suggestions) {}

  /// What the help writes for the value. A FILE, DIR, TRACE, OUT, TIME, SIZE or LOAD is not empty.
  Option& type_name(const std::string& name);
  /// The heading in the help; empty: the help does not show the option.
  Option& group(const std::string& heading);
  /// The help says what the variable holds now.
  Option& show_default();
  Option& required();
  /// The help says nothing of its value but this: "[=PROGRAM]".
  Option& value_text(const std::string& text);
  /// Of a list: each use of the option adds one value.
  Option& one_value_each();
  /// Of a list: one use of the option may hold several values.
  Option& split_at(char delimiter);
  /// Least and most. The help names the type of the bounds: INT or UINT.
  Option& range(int least, int most);
  Option& range(std::size_t least, std::size_t most);
  /// A whole number that run.seed of a scenario may be.
  Option& seed();
  Option& one_of(std::initializer_list<std::string> words);
  /// What a completion offers, where other values are allowed, too.
  Option& suggest(std::vector<std::string_view> words);
  Option& excludes(const Option& other);
  /// Of files: "-" is standard input.
  Option& or_standard_input();

  // What a manual or a completion says of it.
  /// As on the command line, short ones first: "-j", "--jobs".
  [[nodiscard]] std::vector<std::string> names() const;
  /// "FILE", or the words that it may be: "never|soon|now"; empty: it has no value, or may be
  /// without.
  [[nodiscard]] std::string value() const;
  [[nodiscard]] std::vector<std::string_view> suggestions() const;
  [[nodiscard]] std::string help() const;
  /// Empty: it is not to be shown.
  [[nodiscard]] std::string heading() const;
  /// What it is when it is not given, if the help says so.
  [[nodiscard]] std::string initial() const;
  /// "[=PROGRAM]" of value_text().
  [[nodiscard]] std::string value_text() const;

 private:
  CLI::Option* option_;
  Suggestions* suggestions_;
};

/// What artel itself or one of its subcommands understands. A handle: valid as long as the command
/// line, cheap to copy. Variables bound to options must live until the command line has been read.
class Subcommand {
 public:
  Subcommand(CLI::App& command, Suggestions& suggestions)
      : command_(&command), suggestions_(&suggestions) {}

  // `names`: "-o,--output", or "file" for an argument that stands by itself.
  // An option without a value:
  Option flag(const std::string& names, bool& value, const std::string& help);
  /// One whose value may be missing, and is `without` then; it is given as --name=VALUE only.
  Option optional_value(const std::string& name, const std::string& without, std::string& value,
                        const std::string& help);
  // Options with one value, the last one if it is given again:
  Option option(const std::string& names, std::string& value, const std::string& help);
  Option option(const std::string& names, std::uint32_t& value, const std::string& help);
  Option option(const std::string& names, std::size_t& value, const std::string& help);
  Option option(const std::string& names, double& value, const std::string& help);
  // Options with one value, which may be missing:
  Option option(const std::string& names, std::optional<std::uint32_t>& value,
                const std::string& help);
  Option option(const std::string& names, std::optional<std::uint64_t>& value,
                const std::string& help);
  // Options with any number of values:
  Option option(const std::string& names, std::vector<std::string>& values,
                const std::string& help);
  Option option(const std::string& names, std::vector<std::uint64_t>& values,
                const std::string& help);
  /// One that hands its value to `set`.
  Option number_option(const std::string& names, std::function<void(std::uint64_t)> set,
                       const std::string& help);

  /// Words that it does not know are no mistake.
  void any_words();
  /// The first word that is no option begins a command of somebody else's: words() has it and all
  /// that follows. Unknown options stand before it there.
  void command_follows();
  [[nodiscard]] std::vector<std::string> words() const;
  /// What the help shows behind "Usage: ".
  void usage(const std::string& text);
  /// One of them must be given.
  Subcommand subcommand(const std::string& name, const std::string& description);
  /// All of the help.
  [[nodiscard]] std::string help() const;
  /// What the help ends with.
  void footer(const std::string& text);
  /// Called when the whole command line has been read.
  void action(std::function<void()> run);

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string usage() const;
  [[nodiscard]] std::string footer() const;
  /// Those with a dash, in the order in which they were added.
  [[nodiscard]] std::vector<Option> options() const;
  /// Those without: what stands by itself.
  [[nodiscard]] std::vector<Option> positionals() const;
  [[nodiscard]] bool takes_command() const;
  /// The long ones: "--set", "--help".
  [[nodiscard]] std::vector<std::string> option_names() const;
  /// The options that the command line has, as words that say the same again: "--jobs=4", "--tty".
  /// `without`: one name of each that is left out.
  [[nodiscard]] std::vector<std::string> given(std::initializer_list<std::string> without) const;
  [[nodiscard]] std::vector<Subcommand> subcommands() const;

 private:
  [[nodiscard]] Option made(CLI::Option& option) const { return {option, *suggestions_}; }

  CLI::App* command_;
  Suggestions* suggestions_;
};

/// Why a command line was refused.
struct Misuse {
  std::string what;
  std::vector<std::string> unexpected;  ///< words that nobody understands
};

/// Ends the running action with this exit status; CommandLine::read() passes it on.
struct Finished {
  int status = 0;
};

/// The whole of a command line.
///
/// Threads: one at a time.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// The command itself, for what it understands.
  [[nodiscard]] Subcommand top() const;
  void version(const std::string& text);

  /// Reads the words and runs the action of the subcommand that was chosen; or prints the help or
  /// the version. Nothing is returned when all went well.
  /// Errors: what is wrong with the words. What the action throws, Finished as well, goes through.
  [[nodiscard]] std::optional<Misuse> read(int argc, char** argv);

  /// The subcommands that the words chose, the outermost first.
  [[nodiscard]] std::vector<Subcommand> chosen() const;

 private:
  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<Suggestions> suggestions_;  // apart: top() of a const command line hands it out
};

}  // namespace artel::app
