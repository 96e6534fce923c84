#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"

namespace artel::app {
namespace {

// "--set --sweep --help" of one subcommand, and what its own subcommands have.
std::string option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  if (command.get_parent() != nullptr) {
    for (const auto* inner : command.get_subcommands({})) {
      names.push_back(inner->get_name());
      names.push_back(option_names(*inner));
    }
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string bash_script(const CLI::App& artel) {
  std::vector<std::string> commands;
  std::string cases;
  for (const auto* command : artel.get_subcommands({})) {
    commands.push_back(command->get_name());
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), option_names(*command));
  }
  return fmt::format(
      "_artel() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "{}"
      "    *) words=\"{}\" ;;\n"
      "  esac\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"{} {}\"; fi\n"
      "  if [ \"$COMP_CWORD\" -gt 1 ] && [[ $word != -* ]]; then\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _artel artel\n",
      cases, option_names(artel), fmt::join(commands, " "), option_names(artel));
}

}  // namespace

void add_completion(CLI::App& artel) {
  auto& command = *artel.add_subcommand("completion", "Print a completion script for your shell");
  const auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "bash or zsh")
      ->required()
      ->type_name("SHELL")
      ->check(CLI::IsMember({"bash", "zsh"}));
  command.footer(
      "Examples:\n"
      "  source <(artel completion bash)                 # this shell only\n"
      "  artel completion zsh > ~/.zsh/artel && echo 'source ~/.zsh/artel' >> ~/.zshrc\n");
  command.callback([&artel, shell] {
    if (*shell == "zsh") fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
    fmt::print("{}", bash_script(artel));
  });
}

}  // namespace artel::app
