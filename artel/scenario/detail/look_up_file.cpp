#include "artel/scenario/detail/look_up_file.hpp"

#include <filesystem>
#include <string>
#include <variant>

#include "artel/dispatch/policy_table.hpp"

namespace artel::scenario::detail {

std::filesystem::path look_up_file(dispatch::Parameters& parameters,
                                   const std::filesystem::path& folder) {
  const auto given = parameters.find("file");
  if (given == parameters.end()) return {};
  const auto* name = std::get_if<std::string>(&given->second);
  if (name == nullptr || name->empty()) return {};
  auto file = folder / *name;
  given->second = file.string();
  return file;
}

}  // namespace artel::scenario::detail
