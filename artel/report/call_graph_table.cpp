#include "artel/report/call_graph_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/logs/call_graph.hpp"
#include "artel/predict/call_stages.hpp"
#include "artel/report/table.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;

struct Times {
  Duration mean{}, p99{};
};

Times times_of(std::vector<Duration> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  Duration sum{};
  for (const auto time : times) sum += time;
  return {sum / static_cast<Duration::rep>(times.size()), times[(times.size() - 1) * 99 / 100]};
}

// How often a request comes to a service.
double per_request(const logs::CallGraph& graph, std::size_t service) {
  return static_cast<double>(graph.services[service].visits) /
         static_cast<double>(graph.arrivals.size());
}

std::string callers_of(const logs::CallGraph& graph, std::size_t service) {
  std::vector<std::string> callers;
  if (service == 0) callers.emplace_back("outside");
  for (const auto& call : graph.calls) {
    if (call.to == service) callers.push_back(graph.services[call.from].name);
  }
  return join(callers, ", ");
}

}  // namespace

std::string call_graph_table(const logs::CallGraph& graph, const predict::CallStages& stages) {
  const auto response = times_of(graph.responses);
  std::string text = fmt::format("{} to {}, {}: mean response {}, p99 {}\n\n",
                                 how_many(graph.arrivals.size(), "request"),
                                 graph.services.front().name, how_many(graph.spans, "span"),
                                 format_duration(response.mean), format_duration(response.p99));
  Table table;
  table.add_column("service", Table::Align::left);
  table.add_column("called by", Table::Align::left);
  for (const auto* title : {"per request", "of requests", "own time", "p99", "most at once"})
    table.add_column(title);
  for (std::size_t i = 0; i < graph.services.size(); ++i) {
    const auto& service = graph.services[i];
    const auto own = times_of(service.own);
    table.add_row(
        {service.name, callers_of(graph, i),
         fmt::format("{:.3g}{}", per_request(graph, i), service.at_once ? " at once" : ""),
         fmt::format("{:.1f}%", 100 * stages.stages[i].probability), format_duration(own.mean),
         format_duration(own.p99), std::to_string(service.most_at_once)});
  }
  text += table.text();
  for (const auto& note : stages.notes) text += fmt::format("Note: {}.\n", note);
  return text;
}

std::string call_graph_json(const logs::CallGraph& graph, const predict::CallStages& stages) {
  const auto response = times_of(graph.responses);
  Json json{{"schema", "artel.calls/1"},
            {"unit", "s"},
            {"spans", graph.spans},
            {"requests", graph.arrivals.size()},
            {"elsewhere", graph.elsewhere},
            {"response", {{"mean", to_seconds(response.mean)}, {"p99", to_seconds(response.p99)}}},
            {"services", Json::array()},
            {"calls", Json::array()},
            {"notes", stages.notes}};
  for (std::size_t i = 0; i < graph.services.size(); ++i) {
    const auto& service = graph.services[i];
    const auto own = times_of(service.own);
    json["services"].push_back(
        {{"service", service.name},
         {"visits", service.visits},
         {"per_request", per_request(graph, i)},
         {"probability", stages.stages[i].probability},
         {"at_once", service.at_once},
         {"own", {{"mean", to_seconds(own.mean)}, {"p99", to_seconds(own.p99)}}},
         {"most_at_once", service.most_at_once},
         {"stage", {{"calls", stages.stages[i].calls}, {"workers", stages.stages[i].workers}}}});
  }
  for (const auto& call : graph.calls) {
    json["calls"].push_back({{"from", graph.services[call.from].name},
                             {"to", graph.services[call.to].name},
                             {"calls", call.calls}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace artel::report
