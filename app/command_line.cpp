#include "app/command_line.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/parse_number.hpp"
#include "artel/scenario/run_settings.hpp"

namespace artel::app {
namespace {

// Of the terminal that the help is for; 0: it goes elsewhere.
std::size_t help_width() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// The place in the text of its nth character.
std::size_t place_of(std::string_view text, std::size_t character) {
  std::size_t place = 0;
  const auto is_begin = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
  };
  while (place < text.size() && character > 0) {
    ++place;
    while (place < text.size() && !is_begin(place)) ++place;
    --character;
  }
  return place;
}

// A line of the help in lines of at most `width` characters. Text of the second column, which
// begins at `column`, continues in that column.
std::string wrapped(std::string_view line, std::size_t column, std::size_t width) {
  const auto begin = line.find_first_not_of(' ');
  const bool has_two = line.size() > column && line[column - 1] == ' ';
  const std::size_t indent = has_two ? column : begin == std::string_view::npos ? 0 : begin + 2;
  std::string text(line);
  if (width < indent + column) return text;
  std::string lines;
  for (auto end = place_of(text, width); end < text.size(); end = place_of(text, width)) {
    const auto space = text.rfind(' ', end);
    if (space == std::string::npos || space <= indent) break;
    lines += text.substr(0, space) + '\n';
    text = std::string(indent, ' ') + text.substr(space + 1);
  }
  return lines + text;
}

// Help that fits the terminal, in which an option's value may be optional, and the usage says what
// follows the options.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    auto text = CLI::Formatter::make_help(app, std::move(name), mode);
    const auto width = help_width();
    if (width == 0) return text;
    std::string fitting;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      fitting += wrapped(line, get_column_width(), width) + '\n';
    }
    return fitting;
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (usage.empty()) return CLI::Formatter::make_usage(app, std::move(name));
    return "Usage: " + usage + "\n";
  }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    auto name = CLI::Formatter::make_option_name(option, is_positional);
    const auto brace = name.find('{');
    return brace == std::string::npos ? name : name.substr(0, brace) + option->get_option_text();
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 || option->get_expected_max() == 0
               ? std::string{}
               : CLI::Formatter::make_option_opts(option);
  }

  std::string usage;
};

template <class Value>
CLI::Option& last_one(CLI::App& command, const std::string& names, Value& value,
                      const std::string& help) {
  auto* const option = command.add_option(names, value, help);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  return *option;
}

}  // namespace

// ---- Option

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  static constexpr std::array<std::string_view, 7> kFilled{"FILE", "DIR",  "TRACE", "OUT",
                                                           "TIME", "SIZE", "LOAD"};
  if (std::ranges::find(kFilled, name) != kFilled.end()) {
    option_->check([name](const std::string& text) {
      return text.empty() ? fmt::format("found '', allowed: a {}", name) : std::string();
    });
  }
  return *this;
}

Option& Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Option& Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::one_value_each() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::split_at(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}

Option& Option::range(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::range(std::size_t least, std::size_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::seed() {
  option_->check([](const std::string& text) {
    constexpr auto kMost = scenario::RunSettings::kSeedMax;
    if (parse_number<std::uint64_t>(text).value_or(kMost + 1) <= kMost) return std::string();
    return fmt::format("found {}, allowed: a whole number from 0 to {}", text, kMost);
  });
  return *this;
}

Option& Option::one_of(std::initializer_list<std::string> words) {
  option_->check(CLI::IsMember(std::vector<std::string>(words)));
  return *this;
}

Option& Option::suggest(std::vector<std::string_view> words) {
  (*suggestions_)[option_] = std::move(words);
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::or_standard_input() {
  option_->transform([](const std::string& file) { return file == "-" ? "/dev/stdin" : file; });
  return *this;
}

Option& Option::value_text(const std::string& text) {
  option_->option_text(text);
  return *this;
}

std::vector<std::string> Option::names() const {
  std::vector<std::string> names;
  for (const auto& name : option_->get_snames()) names.push_back("-" + name);
  for (const auto& name : option_->get_lnames()) names.push_back("--" + name);
  if (names.empty()) names.push_back(option_->get_name(true, false));
  return names;
}

std::string Option::value() const {
  if (option_->get_expected_max() == 0) return {};
  const auto type = option_->get_type_name();
  return type.substr(0, type.find(':'));  // behind it, CLI11 says what is allowed
}

std::vector<std::string_view> Option::suggestions() const {
  const auto found = suggestions_->find(option_);
  return found == suggestions_->end() ? std::vector<std::string_view>{} : found->second;
}

std::string Option::help() const { return option_->get_description(); }
std::string Option::heading() const { return option_->get_group(); }
std::string Option::initial() const { return option_->get_default_str(); }
std::string Option::value_text() const { return option_->get_option_text(); }

// ---- Subcommand

Option Subcommand::optional_value(const std::string& name, const std::string& without,
                                  std::string& value, const std::string& help) {
  return made(*command_->add_flag(name + "{" + without + "}", value, help));
}

Option Subcommand::flag(const std::string& names, bool& value, const std::string& help) {
  return made(*command_->add_flag(names, value, help));
}

Option Subcommand::option(const std::string& names, std::string& value, const std::string& help) {
  return made(last_one(*command_, names, value, help));
}

Option Subcommand::option(const std::string& names, std::uint32_t& value, const std::string& help) {
  return made(last_one(*command_, names, value, help));
}

Option Subcommand::option(const std::string& names, std::size_t& value, const std::string& help) {
  return made(last_one(*command_, names, value, help));
}

Option Subcommand::option(const std::string& names, double& value, const std::string& help) {
  return made(last_one(*command_, names, value, help));
}

Option Subcommand::option(const std::string& names, std::optional<std::uint32_t>& value,
                          const std::string& help) {
  return made(last_one(*command_, names, value, help));
}

Option Subcommand::option(const std::string& names, std::optional<std::uint64_t>& value,
                          const std::string& help) {
  return made(last_one(*command_, names, value, help));
}

Option Subcommand::option(const std::string& names, std::vector<std::string>& values,
                          const std::string& help) {
  return made(*command_->add_option(names, values, help));
}

Option Subcommand::option(const std::string& names, std::vector<std::uint64_t>& values,
                          const std::string& help) {
  return made(*command_->add_option(names, values, help));
}

Option Subcommand::number_option(const std::string& names, std::function<void(std::uint64_t)> set,
                                 const std::string& help) {
  return made(*command_->add_option_function<std::uint64_t>(names, std::move(set), help));
}

void Subcommand::command_follows() { command_->prefix_command(); }

bool Subcommand::takes_command() const { return command_->get_prefix_command(); }

std::vector<std::string> Subcommand::words() const { return command_->remaining(); }

void Subcommand::usage(const std::string& text) {
  const auto formatter = std::make_shared<HelpFormatter>();
  formatter->usage = text;
  command_->formatter(formatter);
}

std::string Subcommand::usage() const {
  const auto formatter = std::dynamic_pointer_cast<HelpFormatter>(command_->get_formatter());
  return formatter ? formatter->usage : std::string{};
}

std::string Subcommand::help() const {
  // Not command_->help(): that is the help of the subcommand that was chosen.
  std::string name = command_->get_name();
  for (const auto* above = command_->get_parent(); above != nullptr; above = above->get_parent())
    name = above->get_name() + " " + name;
  return command_->get_formatter()->make_help(command_, name, CLI::AppFormatMode::Normal);
}

std::string Subcommand::description() const { return command_->get_description(); }
std::string Subcommand::footer() const { return command_->get_footer(); }

std::vector<Option> Subcommand::options() const {
  std::vector<Option> options;
  for (auto* const option : command_->get_options()) {
    if (option->nonpositional()) options.push_back(made(*option));
  }
  return options;
}

std::vector<Option> Subcommand::positionals() const {
  std::vector<Option> options;
  for (auto* const option : command_->get_options()) {
    if (option->get_positional()) options.push_back(made(*option));
  }
  return options;
}

void Subcommand::any_words() { command_->allow_extras(); }

Subcommand Subcommand::subcommand(const std::string& name, const std::string& description) {
  command_->require_subcommand(1);
  return Subcommand(*command_->add_subcommand(name, description), *suggestions_);
}

void Subcommand::footer(const std::string& text) { command_->footer(text); }

void Subcommand::action(std::function<void()> run) { command_->callback(std::move(run)); }

std::string Subcommand::name() const { return command_->get_name(); }

std::vector<std::string> Subcommand::option_names() const {
  std::vector<std::string> names;
  for (const auto* option : command_->get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> Subcommand::given(std::initializer_list<std::string> without) const {
  std::vector<std::string> words;
  for (const auto* const option : command_->get_options()) {
    const bool left_out = std::ranges::any_of(
        without, [&](const std::string& name) { return option->check_name(name); });
    if (left_out || option->count() == 0) continue;
    const auto name = option->get_lnames().empty() ? "-" + option->get_snames().front()
                                                   : "--" + option->get_lnames().front();
    if (option->get_expected_max() == 0) {
      words.push_back(name);
      continue;
    }
    for (const auto& value : option->results()) words.push_back(name + "=" + value);
  }
  return words;
}

std::vector<Subcommand> Subcommand::subcommands() const {
  std::vector<Subcommand> all;
  const std::function<bool(CLI::App*)> any;  // without it CLI11 gives those that were chosen
  for (auto* subcommand : command_->get_subcommands(any))
    all.emplace_back(*subcommand, *suggestions_);
  return all;
}

// ---- CommandLine

CommandLine::CommandLine(const std::string& name, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)),
      suggestions_(std::make_unique<Suggestions>()) {
  app_->formatter(std::make_shared<HelpFormatter>());  // subcommands take it over
}

CommandLine::~CommandLine() = default;

Subcommand CommandLine::top() const { return Subcommand(*app_, *suggestions_); }

void CommandLine::version(const std::string& text) {
  app_->set_version_flag("-v,-V,--version", text, "Print the version and exit");
}

std::optional<Misuse> CommandLine::read(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& help) {
    app_->exit(help);
  } catch (const CLI::ParseError& error) {
    return Misuse{error.what(), app_->remaining(true)};
  }
  return std::nullopt;
}

std::vector<Subcommand> CommandLine::chosen() const {
  std::vector<Subcommand> chosen;
  for (auto inner = app_->get_subcommands(); !inner.empty();
       inner = inner.front()->get_subcommands()) {
    chosen.emplace_back(*inner.front(), *suggestions_);
  }
  return chosen;
}

}  // namespace artel::app
