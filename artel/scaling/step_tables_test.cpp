// Step by step what the documentation of KEDA and of Knative says: tests/scaling/step_tables.py has
// its rules, their pages, and makes the tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
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

struct TableStep {
  std::string rule, source;
  std::uint32_t sequence = 0, min = 0, max = 0, start = 0;
  double at_s = 0, in_system = 0;
  std::uint32_t after = 0;
};

std::vector<TableStep> table_of(const std::string& name) {
  std::ifstream in(ARTEL_SOURCE_DIR "/tests/scaling/" + name + ".csv");
  std::vector<TableStep> steps;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream row(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    EXPECT_EQ(cells.size(), 9U) << line;
    const auto whole = [&](std::size_t i) {
      return parse_number<std::uint32_t>(cells[i]).value_or(UINT32_MAX);
    };
    steps.push_back({.rule = cells[1],
                     .source = cells[2],
                     .sequence = whole(0),
                     .min = whole(3),
                     .max = whole(4),
                     .start = whole(5),
                     .at_s = parse_number<double>(cells[6]).value_or(-1),
                     .in_system = parse_number<double>(cells[7]).value_or(-1),
                     .after = whole(8)});
  }
  return steps;
}

// How many steps there were.
std::size_t follows(const ScalingPolicy& policy, const std::string& table,
                    const std::string& pages) {
  std::optional<Scaler> scaler;
  std::optional<std::uint32_t> sequence;
  std::uint32_t workers = 0;
  const auto steps = table_of(table);
  for (const auto& step : steps) {
    EXPECT_THAT(step.source, StartsWith(pages));
    if (sequence != step.sequence) {
      sequence = step.sequence;
      scaler.emplace(policy, dispatch::SizeLimits{step.min, step.max});
      workers = step.start;
    }
    if (!scaler) {
      ADD_FAILURE() << "a step of no sequence";
      continue;
    }
    workers = scaler->size_for({.at = Instant{from_seconds(step.at_s)},
                                .workers = workers,
                                .ready = workers,
                                .in_system = step.in_system});
    EXPECT_EQ(workers, step.after) << step.rule << ", at " << step.at_s << " s, " << step.source;
    if (workers != step.after) break;
  }
  return steps.size();
}

TEST(Keda, DoesWhatItsDocumentationSaysStepByStep) {
  EXPECT_EQ(follows(Keda{}, "keda", "https://"), 261U);
}

TEST(Knative, DoesWhatItsDocumentationSaysStepByStep) {
  EXPECT_EQ(follows(Knative{}, "knative", "https://knative.dev/docs/serving/autoscaling/"), 455U);
}

}  // namespace
}  // namespace artel::scaling
