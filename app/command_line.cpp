#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace artel::app {

// ---- Option

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
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

Option& Option::one_of(std::initializer_list<std::string> words) {
  option_->check(CLI::IsMember(std::vector<std::string>(words)));
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

// ---- Subcommand

Option Subcommand::flag(const std::string& names, bool& value, const std::string& help) {
  return Option(*command_->add_flag(names, value, help));
}

Option Subcommand::option(const std::string& names, std::string& value, const std::string& help) {
  return Option(*command_->add_option(names, value, help));
}

Option Subcommand::option(const std::string& names, std::uint32_t& value, const std::string& help) {
  return Option(*command_->add_option(names, value, help));
}

Option Subcommand::option(const std::string& names, std::size_t& value, const std::string& help) {
  return Option(*command_->add_option(names, value, help));
}

Option Subcommand::option(const std::string& names, double& value, const std::string& help) {
  return Option(*command_->add_option(names, value, help));
}

Option Subcommand::option(const std::string& names, std::optional<std::uint32_t>& value,
                          const std::string& help) {
  return Option(*command_->add_option(names, value, help));
}

Option Subcommand::option(const std::string& names, std::optional<std::uint64_t>& value,
                          const std::string& help) {
  return Option(*command_->add_option(names, value, help));
}

Option Subcommand::option(const std::string& names, std::vector<std::string>& values,
                          const std::string& help) {
  return Option(*command_->add_option(names, values, help));
}

Option Subcommand::option(const std::string& names, std::vector<std::uint64_t>& values,
                          const std::string& help) {
  return Option(*command_->add_option(names, values, help));
}

Option Subcommand::number_option(const std::string& names, std::function<void(std::uint64_t)> set,
                                 const std::string& help) {
  return Option(*command_->add_option_function<std::uint64_t>(names, std::move(set), help));
}

void Subcommand::any_words() { command_->allow_extras(); }

Subcommand Subcommand::subcommand(const std::string& name, const std::string& description) {
  command_->require_subcommand(1);
  return Subcommand(*command_->add_subcommand(name, description));
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

std::vector<Subcommand> Subcommand::subcommands() const {
  std::vector<Subcommand> all;
  const std::function<bool(CLI::App*)> any;  // without it CLI11 gives those that were chosen
  for (auto* subcommand : command_->get_subcommands(any)) all.emplace_back(*subcommand);
  return all;
}

// ---- CommandLine

CommandLine::CommandLine(const std::string& name, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)) {}

CommandLine::~CommandLine() = default;

Subcommand CommandLine::top() const { return Subcommand(*app_); }

void CommandLine::version(const std::string& text) {
  app_->set_version_flag("--version", text, "Print the version and exit");
}

std::string CommandLine::help() const { return app_->help(); }

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
    chosen.emplace_back(*inner.front());
  }
  return chosen;
}

}  // namespace artel::app
