#include "artel/predict/call_stages.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/call_graph.hpp"
#include "artel/predict/arrival_fit.hpp"
#include "artel/predict/detail/toml_text.hpp"
#include "artel/predict/service_fit.hpp"

namespace artel::predict {
namespace {

using Service = logs::CallGraph::CalledService;

// Of one call; where calls follow each other, of all of a request's together.
ServiceFit work_of(const Service& service) {
  auto times = service.at_once ? service.own : service.own_of_request;
  for (auto& time : times) time = std::max(time, Duration{1});  // no work is no law
  return fit_service(std::move(times));
}

CallStages::Stage stage_of(const logs::CallGraph& graph, std::size_t number, double rate,
                           double work_s) {
  constexpr double kLoadMax = 0.95;
  const auto& service = graph.services[number];
  CallStages::Stage stage{.service = number};
  stage.probability =
      static_cast<double>(service.requests) / static_cast<double>(graph.arrivals.size());
  if (service.at_once) {
    stage.calls = static_cast<std::uint32_t>(
        std::lround(static_cast<double>(service.visits) / static_cast<double>(service.requests)));
  }
  const auto needed =
      std::ceil(rate * stage.probability * static_cast<double>(stage.calls) * work_s / kLoadMax);
  stage.workers = std::max(service.most_at_once, static_cast<std::uint32_t>(std::max(1.0, needed)));
  return stage;
}

void note_calls(const Service& service, const CallStages::Stage& stage,
                std::vector<std::string>& notes) {
  constexpr double kNoticeable = 0.05;
  const double each = static_cast<double>(service.visits) / static_cast<double>(service.requests);
  if (!service.at_once && each > 1 + kNoticeable) {
    notes.push_back(fmt::format(
        "{} is called {:.3g} times, one after the other: here once, with the work of all",
        service.name, each));
  }
  if (service.at_once && std::abs(stage.calls / each - 1) > kNoticeable) {
    notes.push_back(
        fmt::format("{} is called {:.3g} times at once: here {}", service.name, each, stage.calls));
  }
}

}  // namespace

Result<CallStages> call_stages(const logs::CallGraph& graph, const std::string& name) {
  const auto& arrivals = graph.arrivals;
  if (arrivals.size() < 2 || arrivals.front() == arrivals.back()) {
    return fail(
        ErrorCode::invalid,
        fmt::format("{} to {}{}; expected several, over time", how_many(arrivals.size(), "request"),
                    graph.services.front().name, arrivals.size() < 2 ? "" : " at once"),
        name);
  }
  const auto fit = fit_arrivals(arrivals);
  CallStages made;
  std::string stages;
  ServiceFit entry_work;
  for (std::size_t i = 0; i < graph.services.size(); ++i) {
    const auto& service = graph.services[i];
    const auto work = work_of(service);
    const auto stage = stage_of(graph, i, fit.rate, work.mean_s);
    note_calls(service, stage, made.notes);
    made.stages.push_back(stage);
    if (i == 0) {
      entry_work = work;
      continue;
    }
    stages += fmt::format(
        "\n[[stages]]\nname = {}\nprobability = {}\ncalls = {}\npool = {{ workers = {} }}\n"
        "service = {}\n",
        detail::toml_text(service.name), stage.probability, stage.calls, stage.workers,
        detail::law(work));
  }
  made.notes.emplace_back(
      "time of its own is that of a span without the calls in it: waiting for a free worker counts "
      "as work, as spans do not tell them apart");
  made.notes.emplace_back(
      "each service has as many workers as it was ever busy with at once; here they are free while "
      "others work for them");
  if (graph.elsewhere > 0) {
    made.notes.push_back(fmt::format("left out: {} to others than {}",
                                     how_many(graph.elsewhere, "request"),
                                     graph.services.front().name));
  }
  made.toml = "# Made of OpenTelemetry's spans.\n";
  for (const auto& note : made.notes) made.toml += fmt::format("# Note: {}.\n", note);
  made.toml += fmt::format(
      "name = {}\n\n[workload]\narrivals = {}\nservice = {}\n\n[pool]\nworkers = {}\n{}"
      "\n[dispatch]\npolicies = [\"central\"]\n\n[run]\ntasks = {}\nreplications = 10\n",
      detail::toml_text(name), detail::arrivals_table(fit.process), detail::law(entry_work),
      made.stages.front().workers, stages, arrivals.size());
  return made;
}

}  // namespace artel::predict
