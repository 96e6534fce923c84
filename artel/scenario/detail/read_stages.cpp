#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/stage_settings.hpp"

namespace artel::scenario::detail {

std::vector<StageSettings> read_stages(const config::TableReader& root,
                                       const std::filesystem::path& folder,
                                       config::Problems& problems) {
  std::vector<StageSettings> stages;
  for (const auto& item : root.items("stages")) {
    const config::TableReader reader(scenario_schema(), item, "stages[]", problems);
    StageSettings stage;
    stage.name = reader.text("name");
    stage.probability = reader.number("probability");
    stage.calls = static_cast<std::uint32_t>(reader.count("calls"));
    if (reader.has("service")) {
      if (auto law = read_law(reader, "service", "stages.service", problems))
        stage.service = *std::move(law);
    }
    if (reader.has("pool"))
      stage.pool = read_pool(reader.table("pool"), folder, problems, "stages.pool");
    if (!(stage.service.mean() > 0) && problems.empty())
      reader.refuse("service", "the mean is 0, allowed: above 0");
    if (stage.pool.worker.batch && !stage.pool.worker.batch->join_rows.empty())
      reader.refuse("pool", "per_join by an expression is for the first pool only");
    if (stage.pool.worker.cache) reader.refuse("pool", "cache is for the first pool only");
    if (stage.pool.scaling) reader.refuse("pool", "scaling is for the first pool only");
    const bool twice =
        stage.name == kFirstStage ||
        std::ranges::any_of(stages, [&](const auto& other) { return other.name == stage.name; });
    if (twice) reader.refuse("name", fmt::format("'{}' is there twice", stage.name));
    stages.push_back(std::move(stage));
  }
  constexpr std::size_t kStagesMax = 100;
  if (stages.size() > kStagesMax)
    root.refuse("stages",
                fmt::format("found a list of {}, allowed: up to {}", stages.size(), kStagesMax));
  return stages;
}

}  // namespace artel::scenario::detail
