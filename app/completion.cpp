#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/core/join.hpp"

namespace artel::app {
namespace {

constexpr const char* kCompletionFooter = R"(Examples:
  source <(artel completion bash)                 # this shell only
  artel completion zsh > ~/.zsh/artel && echo 'source ~/.zsh/artel' >> ~/.zshrc
)";

// 0: a case for each subcommand, 1: the options of artel itself, 2: the subcommands.
constexpr const char* kBashScript = R"(_artel() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words
  case ${{COMP_WORDS[1]}} in
{0}    *) words="{1}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="{2} {1}"; fi
  if [ "$COMP_CWORD" -gt 1 ] && [[ $word != -* ]]; then
    COMPREPLY=($(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}}
complete -o filenames -F _artel artel
)";

// "--set --sweep --help" of one subcommand, and what its own subcommands have.
std::string words_of(const Subcommand& command) {
  auto words = command.option_names();
  for (const auto& inner : command.subcommands()) {
    words.push_back(inner.name());
    words.push_back(words_of(inner));
  }
  return join(words, " ");
}

std::string bash_script(const Subcommand& artel) {
  std::vector<std::string> commands;
  std::string cases;
  for (const auto& command : artel.subcommands()) {
    commands.push_back(command.name());
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name(), words_of(command));
  }
  const auto options = join(artel.option_names(), " ");
  return fmt::format(kBashScript, cases, options, join(commands, " "));
}

}  // namespace

void add_completion(Subcommand artel) {
  auto command = artel.subcommand("completion", "Print a completion script for your shell");
  const auto shell = std::make_shared<std::string>();
  command.option("shell", *shell, "bash or zsh")
      .required()
      .type_name("SHELL")
      .one_of({"bash", "zsh"});
  command.footer(kCompletionFooter);
  command.action([artel, shell] {
    if (*shell == "zsh") fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
    fmt::print("{}", bash_script(artel));
  });
}

}  // namespace artel::app
