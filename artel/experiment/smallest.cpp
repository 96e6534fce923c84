#include "artel/experiment/smallest.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/parse_number.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"

namespace artel::experiment {
namespace {

std::size_t axis_to_minimise(const std::vector<scenario::SweepAxis>& axes) {
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].key == "pool.workers") return a;
  }
  return axes.size() - 1;
}

std::string values_of_others(const std::vector<scenario::SweepAxis>& axes,
                             const std::vector<std::string>& values, std::size_t except) {
  std::string text;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (a == except) continue;
    text += (text.empty() ? "" : ", ") + axes[a].key + "=" + values[a];
  }
  return text;
}

}  // namespace

std::vector<Smallest> smallest_that_meets(const scenario::Study& study,
                                          const ExperimentResult& result) {
  if (result.axes.empty() || result.points.empty()) return {};
  const auto axis = axis_to_minimise(result.axes);

  std::vector<std::string> groups;  // in order of appearance
  std::map<std::string, std::vector<std::size_t>> points_of;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const auto& values = result.points[p].values;
    if (!parse_number<double>(values[axis]) || study.points[p].scenario.slo.empty()) return {};
    const auto group = values_of_others(result.axes, values, axis);
    auto& points = points_of[group];
    if (points.empty()) groups.push_back(group);
    points.push_back(p);
  }

  std::vector<Smallest> answers;
  for (const auto& group : groups) {
    auto points = points_of[group];
    const auto number = [&](std::size_t p) {
      return *parse_number<double>(result.points[p].values[axis]);
    };
    std::sort(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
      return number(a) != number(b) ? number(a) > number(b) : a < b;
    });
    const auto& policies = result.points[points.front()].policies;
    for (std::size_t k = 0; k < policies.size(); ++k) {
      Smallest answer{policies[k].label, result.axes[axis].key, group, std::nullopt};
      for (const auto p : points) {  // from the largest value down
        const auto verdict = judge(result.points[p].policies[k], study.points[p].scenario.slo);
        if (verdict != Verdict::met) {
          answer.beyond = verdict;
          break;
        }
        answer.point = p;
      }
      answers.push_back(std::move(answer));
    }
  }
  return answers;
}

}  // namespace artel::experiment
