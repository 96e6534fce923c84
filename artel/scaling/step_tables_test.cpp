// Step by step what the documentation of KEDA and of Knative says, and artel's own of its own
// policies: tests/scaling/step_tables.py has the rules, their pages, and makes the tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::scaling {
namespace {

using ::testing::StartsWith;
using namespace std::chrono_literals;

// A row by the names of its columns.
using TableStep = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::istringstream row(line);
  std::vector<std::string> cells;
  for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<TableStep> table_of(const std::string& name) {
  std::ifstream in(ARTEL_SOURCE_DIR "/tests/scaling/" + name + ".csv");
  std::string line;
  std::getline(in, line);
  const auto names = cells_of(line);
  std::vector<TableStep> steps;
  while (std::getline(in, line)) {
    const auto cells = cells_of(line);
    EXPECT_EQ(cells.size(), names.size()) << line;
    auto& step = steps.emplace_back();
    for (std::size_t i = 0; i < std::min(cells.size(), names.size()); ++i)
      step[names[i]] = cells[i];
  }
  return steps;
}

// Nothing that is not in the table is seen.
double number(const TableStep& step, const std::string& column) {
  const auto cell = step.find(column);
  return cell == step.end() ? 0 : parse_number<double>(cell->second).value_or(-1);
}

std::uint32_t whole(const TableStep& step, const std::string& column) {
  return parse_number<std::uint32_t>(step.at(column)).value_or(UINT32_MAX);
}

// How many steps there were.
std::size_t follows(const ScalingPolicy& policy, const std::string& table,
                    const std::string& pages) {
  std::optional<Scaler> scaler;
  std::optional<std::uint32_t> sequence;
  std::uint32_t workers = 0;
  const auto steps = table_of(table);
  for (const auto& step : steps) {
    EXPECT_THAT(step.at("source"), StartsWith(pages));
    if (sequence != whole(step, "sequence")) {
      sequence = whole(step, "sequence");
      scaler.emplace(policy, dispatch::SizeLimits{whole(step, "min"), whole(step, "max")});
      workers = whole(step, "start");
    }
    if (!scaler) {
      ADD_FAILURE() << "a step of no sequence";
      continue;
    }
    workers = scaler->size_for({.at = Instant{from_seconds(number(step, "at_s"))},
                                .workers = workers,
                                .ready = workers,
                                .in_system = number(step, "in_system"),
                                .arrivals = number(step, "arrivals"),
                                .service_s = number(step, "service_s")});
    const auto after = whole(step, "workers_after");
    EXPECT_EQ(workers, after) << step.at("rule") << ", at " << step.at("at_s") << " s, "
                              << step.at("source");
    if (workers != after) break;
  }
  return steps.size();
}

TEST(Keda, DoesWhatItsDocumentationSaysStepByStep) {
  EXPECT_EQ(follows(Keda{}, "keda", "https://"), 261U);
}

TEST(Knative, DoesWhatItsDocumentationSaysStepByStep) {
  EXPECT_EQ(follows(Knative{}, "knative", "https://knative.dev/docs/serving/autoscaling/"), 455U);
}

TEST(Predictive, DoesWhatItsDocumentationSaysStepByStep) {
  EXPECT_EQ(follows(Predictive{}, "predictive", "docs/scaling.md"), 377U);
}

TEST(Timetable, DoesWhatItsDocumentationSaysStepByStep) {
  const Timetable policy{.entries = {{6h, 4}, {8h, 12}, {20h, 2}}};
  EXPECT_EQ(follows(policy, "timetable", "docs/scaling.md"), 69U);
}

}  // namespace
}  // namespace artel::scaling
