#include "app/left_out.hpp"

#include <string>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

Error left_out(const std::string& component, const std::string& where) {
  return {ErrorCode::unsupported, "this artel was built without " + component, where};
}

void add_left_out(Subcommand artel, const std::string& name, const std::string& component) {
  const auto error = left_out(component, "artel " + name);
  auto command = artel.subcommand(name, "(" + error.what + ")");
  command.any_words();
  command.action([error] { refuse(error); });
}

void add_left_out_option(Subcommand command, const std::string& name, std::string& value,
                         const std::string& component) {
  command.option(name, value, "(" + left_out(component, name).what + ")");
}

}  // namespace artel::app
