#include "app/manual.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/core/error.hpp"
#include "artel/core/join.hpp"

namespace artel::app {
namespace {

// As roff has it: no line begins with a control character, a backslash and a dash are themselves,
// and a terminal without Unicode shows all of it.
std::string escaped(std::string_view text) {
  std::string roff;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (roff.empty() || roff.back() == '\n')) roff += "\\&";
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else if (c == '\'') {
      roff += "\\(aq";
    } else if (c == '`') {
      roff += "\\(ga";
    } else if (c == '^') {
      roff += "\\(ha";
    } else if (c == '~') {
      roff += "\\(ti";
    } else {
      roff += c;
    }
  }
  constexpr std::string_view kDots = "…";
  for (auto at = roff.find(kDots); at != std::string::npos; at = roff.find(kDots))
    roff.replace(at, kDots.size(), "\\&...");
  return roff;
}

std::string option_entry(const Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.names()) names.push_back("\\fB" + escaped(name) + "\\fR");
  std::string entry = ".TP\n" + join(names, ", ");
  if (!option.value_text().empty()) entry += "\\fI" + escaped(option.value_text()) + "\\fR";
  if (const auto value = option.value(); !value.empty()) entry += " \\fI" + escaped(value) + "\\fR";
  entry += "\n" + escaped(option.help());
  if (const auto initial = option.initial(); !initial.empty() && !option.value().empty()) {
    entry += " (default: " + escaped(initial) + ")";
  }
  return entry + "\n";
}

std::string options_section(const Subcommand& command) {
  std::vector<std::string> headings;
  const auto options = command.options();
  for (const auto& option : options) {
    const auto heading = option.heading();
    if (!heading.empty() && std::ranges::find(headings, heading) == headings.end())
      headings.push_back(heading);
  }
  std::string section = ".SH OPTIONS\n";
  for (const auto& heading : headings) {
    if (headings.size() > 1) section += ".SS " + escaped(heading) + "\n";
    for (const auto& option : options) {
      if (option.heading() == heading) section += option_entry(option);
    }
  }
  return section;
}

// The help's end: paragraphs, of which "Examples:" and "Exit status:" have sections of their own.
std::string footer_sections(std::string_view footer) {
  std::string description;
  std::string others;
  while (!footer.empty()) {
    const auto end = std::min(footer.find("\n\n"), footer.size());
    auto paragraph = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 2, footer.size()));
    std::string* section = &description;
    for (const std::string_view heading : {"Examples:", "Exit status:"}) {
      if (!paragraph.starts_with(heading)) continue;
      std::string title(heading.substr(0, heading.size() - 1));
      std::ranges::transform(title, title.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      others += ".SH " + title + "\n";
      paragraph.remove_prefix(heading.size());
      paragraph.remove_prefix(std::min<std::size_t>(1, paragraph.size()));  // a break or a space
      if (heading == "Examples:") others += ".nf\n" + escaped(paragraph) + "\n.fi\n";
      section = heading == "Examples:" ? nullptr : &others;
      break;
    }
    if (section == nullptr) continue;
    *section += ".PP\n.nf\n" + escaped(paragraph) + "\n.fi\n";
  }
  return description + others;
}

}  // namespace

std::string manual_page(const Subcommand& command) {
  const bool top = command.name() == "artel";
  const auto name = (top ? "" : "artel-") + command.name();
  std::string synopsis = command.usage();
  if (synopsis.empty()) {
    synopsis = (top ? "" : "artel ") + command.name() + " [OPTIONS]";
    for (const auto& each : command.positionals()) {
      if (!each.heading().empty()) synopsis += " " + each.names().front();
    }
    if (!command.subcommands().empty()) synopsis += " SUBCOMMAND";
  }
  std::string page =
      fmt::format(".TH {} 1 \"\" \"artel {}\" \"artel\"\n", escaped(name), escaped(ARTEL_VERSION));
  page += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(command.description()));
  page += fmt::format(".SH SYNOPSIS\n{}\n", escaped(synopsis));
  page += ".SH DESCRIPTION\n" + escaped(command.description()) + "\n";
  const auto footer = footer_sections(command.footer());
  const auto sections = std::min(footer.find(".SH "), footer.size());
  page += footer.substr(0, sections);
  page += options_section(command);
  if (top)
    page += ".SH COMMANDS\nThose that do work have pages of their own: artel\\-map and so on.\n";
  for (const auto& inner : command.subcommands()) {
    if (top) {
      page += ".TP\n\\fB" + escaped(inner.name()) + "\\fR\n" + escaped(inner.description()) + "\n";
      continue;
    }
    page += ".SS " + escaped(inner.name()) + "\n" + escaped(inner.description()) + "\n";
    for (const auto& option : inner.options()) {
      if (!option.heading().empty()) page += option_entry(option);
    }
  }
  page += footer.substr(sections);
  return page;
}

void add_manual(Subcommand artel) {
  auto command =
      artel.subcommand("man", "Print the manual page of a command: artel man map | man -l -");
  const auto name = std::make_shared<std::string>();
  command.option("command", *name, "Which command").required().type_name("COMMAND");
  command.footer(R"(Examples:
  artel man map | man -l -
  artel man artel > artel.1
)");
  command.action([artel, name] {
    auto commands = artel.subcommands();
    commands.push_back(artel);
    for (const auto& each : commands) {
      if (each.name() != *name) continue;
      std::fputs(manual_page(each).c_str(), stdout);  // main() looks whether it was written
      return;
    }
    refuse({ErrorCode::invalid, fmt::format("there is no command '{}'", *name), "artel man"});
  });
}

}  // namespace artel::app
