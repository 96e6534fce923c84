#include "app/installed_scenario.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace artel::app {

std::string installed_scenario(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  if (!path.starts_with("scenarios/") || fs::exists(path, problem)) return path;
  const auto command = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return path;
  auto installed = (command.parent_path().parent_path() / "share/artel" / path).string();
  if (!fs::exists(installed, problem)) return path;
  fmt::print(stderr, "{}: taken from {}\n", path, installed);
  return installed;
}

}  // namespace artel::app
