#include <cstdio>
#include <memory>
#include <string>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/completion_scripts.hpp"

namespace artel::app {
namespace {

constexpr const char* kCompletionFooter = R"(An installed artel brings the scripts along. By hand:
Examples:
  source <(artel completion bash)                             # this shell only
  artel completion zsh > ~/.zsh/_artel                        # a folder in $fpath
  artel completion fish > ~/.config/fish/completions/artel.fish
)";

}  // namespace

void add_completion(Subcommand artel) {
  auto command = artel.subcommand("completion", "Print a completion script for your shell");
  const auto shell = std::make_shared<std::string>();
  command.option("shell", *shell, "bash, zsh or fish")
      .required()
      .type_name("bash|zsh|fish")
      .one_of({"bash", "zsh", "fish"});
  command.footer(kCompletionFooter);
  command.action([artel, shell] {
    const auto script = *shell == "bash"  ? bash_completion(artel)
                        : *shell == "zsh" ? zsh_completion(artel)
                                          : fish_completion(artel);
    std::fputs(script.c_str(), stdout);  // main() looks whether it was written
  });
}

}  // namespace artel::app
