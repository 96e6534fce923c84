#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/core/error.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/study.hpp"

namespace artel::scenario {

inline std::string texts_of(const config::Errors& errors) {
  std::string text;
  for (const auto& error : errors) text += to_string(error) + "\n";
  return text;
}

inline std::string errors_of(std::string_view text, const std::string& file_name = "s.toml",
                             std::span<const Override> overrides = {}) {
  const auto parsed = parse_scenario(text, file_name, overrides);
  return parsed ? "no error\n" : texts_of(parsed.error());
}

// A sound scenario, one table per parameter.
struct ScenarioParts {
  std::string workload =
      "arrivals = { kind = \"poisson\", rate = 6.4 }\n"
      "service = { distribution = \"exponential\", mean = \"1 s\" }\n";
  std::string pool = "workers = 8\n";
  std::string dispatch = "policies = [\"random\"]\n";
  std::string rest = {};

  // [workload] is line 1, so its keys start in line 2.
  [[nodiscard]] std::string text() const {
    return "[workload]\n" + workload + "[pool]\n" + pool + "[dispatch]\n" + dispatch + rest;
  }
};

inline std::string workload_errors(const std::string& workload) {
  return errors_of(ScenarioParts{.workload = workload}.text());
}
inline std::string pool_errors(const std::string& pool) {
  return errors_of(ScenarioParts{.pool = pool}.text());
}
inline std::string dispatch_errors(const std::string& dispatch) {
  return errors_of(ScenarioParts{.dispatch = dispatch}.text());
}
inline std::string rest_errors(const std::string& rest) {
  return errors_of(ScenarioParts{.rest = rest}.text());
}
inline std::string arrivals_errors(const std::string& arrivals) {
  return workload_errors("service = { distribution = \"constant\", value = 1 }\narrivals = " +
                         arrivals);
}
inline std::string service_errors(const std::string& service) {
  return workload_errors("arrivals = { kind = \"poisson\", rate = 1 }\nservice = " + service);
}

/// Scenarios in files, in a folder of the test's own.
class BrokenScenario : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string errors(const std::string& name) const {
    const auto loaded = load_study(folder_ / name);
    std::string text = loaded ? "no error\n" : texts_of(loaded.error());
    const auto prefix = folder_.string() + "/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }

  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) /
                                  (std::string("scenario_errors_") +
                                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace artel::scenario
