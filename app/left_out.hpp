#pragma once

#include <string>

#include "app/command_line.hpp"
#include "artel/core/error.hpp"

// What of the command is not there, since artel was built without the component that it needs.
namespace artel::app {

/// "this artel was built without cluster". `where`: the subcommand or option.
[[nodiscard]] Error left_out(const std::string& component, const std::string& where);

/// A subcommand that says so, whatever its words are, and ends as `bad_input`.
void add_left_out(Subcommand artel, const std::string& name, const std::string& component);

/// An option whose help says so. Whoever added it refuses its value with left_out().
void add_left_out_option(Subcommand command, const std::string& name, std::string& value,
                         const std::string& component);

}  // namespace artel::app
