#include "artel/report/detail/observation_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/fleet/time_series.hpp"
#include "artel/report/detail/significant.hpp"

namespace artel::report::detail {
namespace {

using Json = nlohmann::ordered_json;

Json rounded(const std::vector<double>& values, double factor = 1) {
  Json array = Json::array();
  for (const double value : values) array.push_back(std::round(1e3 * factor * value) / 1e3);
  return array;
}

Json rows_of(const fleet::Observation& run) {
  Json rows = {{"bucket_s", to_seconds(run.rows().front().bucket())},
               {"workers_per_row", run.workers_per_row()},
               {"tasks_per_worker", Json::array()}};
  auto left = run.workers();  // the last row may be of fewer
  for (const auto& row : run.rows()) {
    const auto workers = std::min(left, run.workers_per_row());
    left -= workers;
    rows["tasks_per_worker"].push_back(rounded(row.means(), 1 / static_cast<double>(workers)));
  }
  return rows;
}

// One array per column, times in seconds since the window began.
Json tasks_of(const fleet::Observation& run, const fleet::TimeWindow& window) {
  Json tasks = {{"left_out", run.tasks_left_out()},
                {"worker", Json::array()},
                {"arrival", Json::array()},
                {"start", Json::array()},
                {"end", Json::array()}};
  for (const auto& task : run.tasks()) {
    const auto since = [&](Instant time) { return significant(to_seconds(time - window.from)); };
    tasks["worker"].push_back(index(task.worker));
    tasks["arrival"].push_back(since(task.arrival));
    tasks["start"].push_back(since(task.start));
    tasks["end"].push_back(since(task.end));
  }
  return tasks;
}

}  // namespace

std::string observation_json(const WatchedRuns& watched) {
  Json json = {
      {"point", nullptr},
      {"workers", watched.runs.front().workers()},
      {"parts_per_task", watched.parts_per_task},
      {"window",
       {{"from_s", to_seconds(watched.window.from)}, {"to_s", to_seconds(watched.window.to)}}},
      {"policies", Json::array()}};
  if (watched.point) json["point"] = *watched.point;
  for (std::size_t i = 0; i < watched.runs.size(); ++i) {
    const auto& run = watched.runs[i];
    json["policies"].push_back({{"policy", watched.names.at(i)},
                                {"bucket_s", to_seconds(run.in_system().bucket())},
                                {"in_system", rounded(run.in_system().means())},
                                {"in_system_max", rounded(run.in_system().peaks())},
                                {"busy", rounded(run.busy().means())},
                                {"rows", rows_of(run)},
                                {"tasks", tasks_of(run, watched.window)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace artel::report::detail
