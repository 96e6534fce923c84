#include <fmt/core.h>
#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"

namespace artel::app {
namespace {

constexpr const char* kHelpFooter =
    R"(Topics: every command; scenario: what a scenario file may say; policies: those it may name.

Examples:
  artel help map
  artel help cluster up
  artel help scenario
  artel help policies
)";

// "cluster up": the words of a command. Empty: there is none.
std::string text_of(const Subcommand& above, std::span<const std::string> words) {
  for (const auto& command : above.subcommands()) {
    if (command.name() != words.front()) continue;
    return words.size() == 1 ? command.help() : text_of(command, words.subspan(1));
  }
  return {};
}

// Of a topic that is no command. Empty: there is no such topic.
std::string text_of(std::string_view topic) {
  std::string scenario = scenario_help();
  if (topic == "scenario") return scenario;
  constexpr std::string_view kPolicies = "policies, and the parameters";
  if (topic == "policies" && !scenario.empty()) return scenario.substr(scenario.find(kPolicies));
  return {};
}

[[noreturn]] void refuse_topic(const Subcommand& artel, std::string_view topic) {
  std::vector<std::string> names;
  if (!scenario_help().empty()) names = {"scenario", "policies"};
  for (const auto& command : artel.subcommands()) names.push_back(command.name());
  const std::vector<std::string_view> allowed(names.begin(), names.end());
  refuse({ErrorCode::invalid, unknown_name("topic", topic, allowed), "artel help"});
}

}  // namespace

void add_help(Subcommand artel) {
  auto command = artel.subcommand("help", "Say all about a command or another topic");
  const auto words = std::make_shared<std::vector<std::string>>();
  command.option("topic", *words, "A command, scenario, or policies").type_name("TOPIC");
  command.footer(kHelpFooter);
  command.action([artel, words] {
    auto text = words->empty() ? artel.help() : text_of(artel, *words);
    const auto topic = fmt::format("{}", fmt::join(*words, " "));
    if (text.empty()) text = text_of(topic);
    if (text.empty()) refuse_topic(artel, topic);
    fmt::print("{}", text);
  });
}

}  // namespace artel::app
