#pragma once

#include <string>
#include <vector>

namespace artel::app {

struct DemoFile {
  std::string name;  ///< as the first one, a scenario, names the others
  std::string text;
};

/// What `artel demo` reads; the build makes it of `scenarios/`.
[[nodiscard]] std::vector<DemoFile> demo_files();

}  // namespace artel::app
