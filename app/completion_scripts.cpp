#include "app/completion_scripts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.hpp"
#include "artel/core/join.hpp"

namespace artel::app {
namespace {

// "never soon now" of never|soon|now[,WHAT=N]; nothing if the value is none of some words.
std::string choices_of(const Option& option) {
  if (const auto words = option.suggestions(); !words.empty()) return join(words, " ");
  auto value = option.value();
  value.resize(std::min(value.find('['), value.size()));
  if (value.find('|') == std::string::npos) return {};
  if (value.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos) return {};
  std::ranges::replace(value, '|', ' ');
  return value;
}

bool is_folder(const Option& option) { return option.value() == "DIR"; }
bool is_file(const Option& option) {
  return option.value() == "FILE" || option.value() == "TRACE" || option.value() == "OUTPUT";
}

std::vector<Option> shown_options(const Subcommand& command) {
  auto options = command.options();
  std::erase_if(options, [](const Option& option) { return option.heading().empty(); });
  return options;
}

// ---- bash

constexpr std::string_view kBash = R"(# bash completion of artel
_artel() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} i words
  COMPREPLY=()
  if [ "$word" = '=' ]; then word=; elif [ "$before" = '=' ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{0}" -- "$word"))
    return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    [ "${{COMP_WORDS[i]}}" = -- ] || continue
    if declare -F _command_offset > /dev/null; then _command_offset $((i + 1))
    elif [ $((i + 1)) -eq "$COMP_CWORD" ]; then COMPREPLY=($(compgen -c -- "$word" | sort -u)); fi
    return
  done
  case ${{COMP_WORDS[1]}}:$before in
{1}  esac
  case ${{COMP_WORDS[1]}} in
{2}  esac
  for i in $(compgen -W "$words" -- "$word"); do
    [[ $word != -* && $i == -* ]] || COMPREPLY+=("$i")
  done  # none: readline completes files
}}
complete -o default -F _artel artel
)";

// "--set --sweep --help" of one subcommand, what may stand by itself, and what its own subcommands
// have. `topics`: the names of all commands.
std::vector<std::string> words_of(const Subcommand& command, const std::string& topics) {
  auto words = command.option_names();
  for (const auto& positional : command.positionals()) {
    const bool topic = positional.value() == "TOPIC" || positional.value() == "COMMAND";
    words.push_back(topic ? topics : choices_of(positional));
  }
  for (const auto& inner : command.subcommands()) {
    words.push_back(inner.name());
    const auto more = words_of(inner, topics);
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

// What completes the values of its options.
std::string bash_values(const Subcommand& command, const std::string& name) {
  std::string cases;
  for (const auto& option : shown_options(command)) {
    if (option.value().empty() || is_file(option)) continue;
    std::vector<std::string> patterns;
    for (const auto& each : option.names()) patterns.push_back(name + ":" + each);
    const auto choices = choices_of(option);
    std::string action = "compopt +o default 2> /dev/null; return";
    if (is_folder(option))
      action =
          "compopt -o filenames 2> /dev/null; "
          "mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return";
    if (!choices.empty())
      action = fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return", choices);
    cases += fmt::format("    {}) {} ;;\n", join(patterns, " | "), action);
  }
  for (const auto& inner : command.subcommands()) cases += bash_values(inner, name);
  return cases;
}

// ---- zsh

// In '…' of zsh, for _arguments.
std::string in_zsh(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted;
}

std::string zsh_spec(const Option& option, const std::string& name) {
  const auto value = option.value();
  const auto choices = choices_of(option);
  std::string spec =
      fmt::format("'{}{}[{}]", name, value.empty() || !name.starts_with("--") ? "" : "=",
                  in_zsh(option.help()));
  if (!value.empty()) {
    spec += fmt::format(":{}:", in_zsh(value));
    if (!choices.empty()) spec += fmt::format("({})", choices);
    if (is_file(option)) spec += "_files";
    if (is_folder(option)) spec += "_files -/";
  }
  return spec + "'";
}

std::string zsh_arguments(const Subcommand& command) {
  std::vector<std::string> specs;
  for (const auto& option : shown_options(command)) {
    for (const auto& name : option.names()) specs.push_back(zsh_spec(option, name));
  }
  if (command.takes_command()) {
    specs.emplace_back("'(-):command:_command_names -e'");
    specs.emplace_back("'*::arguments:_normal'");
  } else if (!command.subcommands().empty()) {
    std::vector<std::string> names;
    for (const auto& inner : command.subcommands()) names.push_back(inner.name());
    specs.push_back(fmt::format("'1:command:({})'", join(names, " ")));
    specs.emplace_back("'*:file:_files'");
  } else {
    specs.emplace_back("'*:file:_files'");
  }
  return join(specs, " \\\n        ");
}

constexpr std::string_view kZsh = R"(#compdef artel
# zsh completion of artel
_artel() {{
  local context state line
  _arguments -C '1:command:->command' '*::arguments:->arguments'
  case $state in
    command)
      local -a commands=(
{0}      )
      _describe command commands ;;
    arguments)
      case $line[1] in
{1}      esac ;;
  esac
}}
if [ "$funcstack[1]" = _artel ]; then _artel "$@"; else compdef _artel artel; fi
)";

// ---- fish

std::string in_fish(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string fish_option(const Option& option, const std::string& condition) {
  std::string line = "complete -c artel -n " + in_fish(condition);
  for (const auto& name : option.names()) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  const auto choices = choices_of(option);
  if (!choices.empty()) {
    line += " -x -a " + in_fish(choices);
  } else if (is_file(option)) {
    line += " -r -F";
  } else if (is_folder(option)) {
    line += " -x -a '(__fish_complete_directories)'";
  } else if (!option.value().empty()) {
    line += " -x";
  }
  return line + " -d " + in_fish(option.help()) + "\n";
}

std::string fish_options(const Subcommand& command, const std::string& condition) {
  std::string lines;
  for (const auto& option : shown_options(command)) lines += fish_option(option, condition);
  for (const auto& inner : command.subcommands()) {
    lines += fmt::format("complete -c artel -n {} -f -a {} -d {}\n", in_fish(condition),
                         in_fish(inner.name()), in_fish(inner.description()));
    lines += fish_options(inner, "__fish_seen_subcommand_from " + inner.name());
  }
  return lines;
}

}  // namespace

std::string bash_completion(const Subcommand& artel) {
  std::vector<std::string> commands;
  std::string values;
  std::string options;
  for (const auto& command : artel.subcommands()) commands.push_back(command.name());
  for (const auto& command : artel.subcommands()) {
    values += bash_values(command, command.name());
    options += fmt::format("    {}) words=\"{}\" ;;\n", command.name(),
                           join(words_of(command, join(commands, " ")), " "));
  }
  const auto own = join(artel.option_names(), " ");
  return fmt::format(kBash, join(commands, " ") + " " + own, values, options);
}

std::string zsh_completion(const Subcommand& artel) {
  std::string commands;
  std::string cases;
  for (const auto& command : artel.subcommands()) {
    commands += fmt::format("        '{}:{}'\n", command.name(), in_zsh(command.description()));
    cases += fmt::format("        {}) _arguments -s -S \\\n        {} ;;\n", command.name(),
                         zsh_arguments(command));
  }
  return fmt::format(kZsh, commands, cases);
}

std::string fish_completion(const Subcommand& artel) {
  std::string lines = "# fish completion of artel\n";
  for (const auto& command : artel.subcommands()) {
    lines += fmt::format("complete -c artel -n __fish_use_subcommand -f -a {} -d {}\n",
                         in_fish(command.name()), in_fish(command.description()));
    const auto condition = "__fish_seen_subcommand_from " + command.name();
    lines += fish_options(command, condition);
    if (command.takes_command()) {
      lines +=
          fmt::format("complete -c artel -n {} -x -a '(__fish_complete_subcommand --fcs-skip=2)'\n",
                      in_fish(condition));
    }
  }
  return lines;
}

}  // namespace artel::app
