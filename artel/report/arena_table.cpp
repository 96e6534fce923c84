#include "artel/report/arena_table.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "artel/arena/costs.hpp"
#include "artel/arena/load_match.hpp"
#include "artel/arena/run_arena.hpp"
#include "artel/arena/standings.hpp"
#include "artel/core/how_many.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/report/table.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/stat/interval.hpp"

namespace artel::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

// A share as percent: "7.3%", "210%", "3 200 000%" is "3e+06%".
std::string regret_percent(double share) {
  if (!std::isfinite(share)) return "inf";
  const double value = 100 * share;
  if (value >= 1e5) return fmt::format("{:.0e}%", value);
  return fmt::format("{:.{}f}%", value, std::abs(value) < 9.95 ? 1 : 0);
}

std::string rank_text(const arena::Standing& one) {
  if (one.rank_low == one.rank_high) return fmt::format("{}", one.rank);
  return fmt::format("{} ({}-{})", one.rank, one.rank_low, one.rank_high);
}

std::string regret_text(const arena::MatchOutcome& outcome) {
  if (!outcome.ran) return "cannot";
  return outcome.regret.center == 0 ? "best" : "+" + regret_percent(outcome.regret.center);
}

OrderedJson number_or_null(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

OrderedJson arena_interval(const stat::Interval& interval) {
  return {{"value", number_or_null(interval.center)},
          {"half_width", number_or_null(interval.half_width)}};
}

}  // namespace

std::string arena_table(std::span<const scenario::PolicySpec> policies,
                        std::span<const arena::Match> matches, const arena::ArenaResult& result) {
  if (result.standings.empty()) return "";
  Table ranks;
  ranks.add_column("policy", Table::Align::left);
  ranks.add_column("rank");
  for (const auto* title : {"score", "±", "best in"}) ranks.add_column(title);
  ranks.add_column("worst in", Table::Align::left);
  for (const auto* title : {"regret there", "±"}) ranks.add_column(title);
  Table regrets;
  regrets.add_column("regret", Table::Align::left);
  for (const auto& one : result.standings) {
    const auto& worst = one.outcomes[one.worst];
    const auto& label = policies[one.policy].label;
    const bool lost = worst.ran && worst.regret.center > 0;
    ranks.add_row(
        {label, rank_text(one), fmt::format("{:.4f}", one.score.center),
         std::isfinite(one.score.half_width) ? fmt::format("{:.4f}", one.score.half_width) : "n/a",
         fmt::format("{} of {}", one.best_in, matches.size()), lost ? matches[one.worst].name : "-",
         lost ? regret_percent(worst.regret.center) : "-",
         lost ? regret_percent(worst.regret.half_width) : "-"});
    regrets.add_column(label);
  }
  for (std::size_t s = 0; s < matches.size(); ++s) {
    std::vector<std::string> row{matches[s].name};
    for (const auto& one : result.standings) row.push_back(regret_text(one.outcomes[s]));
    regrets.add_row(std::move(row));
  }
  return fmt::format(
      "{}\n{}\nScore: least cost / own cost, mean of {} scenarios. Regret: own cost / least cost - "
      "1.\n{} each; ± is the half-width of the {:.0f}% confidence interval.{}\n",
      ranks.text(), regrets.text(), matches.size(), how_many(result.replications, "replication"),
      100 * experiment::kConfidence,
      result.complete ? "" : "\nINCOMPLETE: stopped before all replications were done.");
}

std::string arena_json(std::span<const scenario::PolicySpec> policies,
                       std::span<const arena::Match> matches, const arena::ArenaResult& result) {
  OrderedJson json = {{"schema", "artel.arena/1"},
                      {"complete", result.complete},
                      {"confidence", experiment::kConfidence},
                      {"replications", result.replications},
                      {"scenarios", OrderedJson::array()},
                      {"policies", OrderedJson::array()}};
  for (const auto& match : matches) {
    json["scenarios"].push_back({{"scenario", match.name},
                                 {"cost", arena::costs_text(match.scenario)},
                                 {"unit", match.scenario.slo.empty() ? "s" : "1"},
                                 {"seed", static_cast<std::uint64_t>(match.scenario.run.seed)}});
  }
  for (const auto& one : result.standings) {
    const auto& worst = one.outcomes[one.worst];
    OrderedJson row = {{"policy", policies[one.policy].label},
                       {"rank", one.rank},
                       {"rank_low", one.rank_low},
                       {"rank_high", one.rank_high},
                       {"score", arena_interval(one.score)},
                       {"best_in", one.best_in},
                       {"worst", nullptr},
                       {"scenarios", OrderedJson::array()}};
    if (worst.ran && worst.regret.center > 0) row["worst"] = matches[one.worst].name;
    for (std::size_t s = 0; s < matches.size(); ++s) {
      const auto& outcome = one.outcomes[s];
      OrderedJson there = {{"scenario", matches[s].name}};
      if (outcome.ran) {
        there["cost"] = arena_interval(outcome.cost);
        there["regret"] = arena_interval(outcome.regret);
      } else {
        there["cannot"] = matches[s].cannot[one.policy];
      }
      there["score"] = outcome.score;
      row["scenarios"].push_back(std::move(there));
    }
    json["policies"].push_back(std::move(row));
  }
  return json.dump(2) + "\n";
}

}  // namespace artel::report
