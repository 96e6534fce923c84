#include "artel/report/trace_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/report/table.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_summary.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<std::string_view, double>, 5> kQuantiles{
    {{"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}}};

std::string worker_name(WorkerId worker) {
  return worker == trace::TaskRecord::kNobody ? "outside" : std::to_string(index(worker));
}

std::string text_of(double ns) {
  return std::isnan(ns) ? "-" : format_duration(Duration{std::llround(ns)});
}

void add_times(Table& table, std::string_view title, const stat::Histogram& times) {
  std::vector<std::string> cells{std::string(title), text_of(times.mean())};
  for (const auto& [name, p] : kQuantiles) cells.push_back(text_of(times.quantile(p)));
  cells.push_back(times.empty() ? "-" : text_of(static_cast<double>(times.max())));
  table.add_row(std::move(cells));
}

std::string time_table(const trace::TraceSummary& summary, const trace::TraceHeader& header) {
  Table table;
  table.add_column("time", Table::Align::left);
  table.add_column("mean");
  for (const auto& [name, p] : kQuantiles) table.add_column(std::string(name));
  table.add_column("max");
  if (header.responses_known()) add_times(table, "response", summary.response_ns);
  if (header.starts_known()) add_times(table, "queue delay", summary.queue_delay_ns);
  if (header.starts_known() || !header.responses_known())
    add_times(table, "service", summary.service_ns);
  return table.text();
}

std::string worker_table(const trace::TraceSummary& summary) {
  Table table;
  table.add_column("worker", Table::Align::left);
  table.add_column("tasks");
  table.add_column("busy");
  table.add_column("utilisation");
  for (const auto& use : summary.workers) {
    table.add_row({worker_name(use.worker), std::to_string(use.tasks), format_duration(use.busy),
                   fmt::format("{:.1f}%", 100 * use.share)});
  }
  return table.text();
}

Json seconds_json(double ns) { return std::isnan(ns) ? Json(nullptr) : Json(ns * 1e-9); }

Json times_json(const stat::Histogram& times) {
  Json json{{"mean", seconds_json(times.mean())}};
  for (const auto& [name, p] : kQuantiles) {
    json[std::string(name)] = seconds_json(times.quantile(p));
  }
  json["max"] = times.empty() ? Json(nullptr) : Json(static_cast<double>(times.max()) * 1e-9);
  return json;
}

Json classes_json(const trace::TraceHeader& header, const trace::TraceSummary& summary) {
  const stat::Histogram nothing;
  auto json = Json::array();
  for (std::size_t i = 0; i < summary.classes.size(); ++i) {
    const auto& one = summary.classes[i];
    const bool work = header.starts_known() || !header.responses_known();
    json.push_back({{"class", header.classes[i]},
                    {"tasks", one.tasks},
                    {"response", times_json(header.responses_known() ? one.response_ns : nothing)},
                    {"service", times_json(work ? one.service_ns : nothing)}});
  }
  return json;
}

}  // namespace

// What is known of all tasks is known of each class: responses, and work or only one of them.
std::string trace_classes_table(const trace::TraceHeader& header,
                                const trace::TraceSummary& summary) {
  if (summary.classes.empty()) return {};
  const bool work = header.starts_known() || !header.responses_known();
  Table table;
  table.add_column("class", Table::Align::left);
  table.add_column("tasks");
  table.add_column("share");
  if (header.responses_known()) {
    for (const auto* title : {"mean response", "p50", "p95", "p99"}) table.add_column(title);
  }
  if (work) {
    table.add_column("mean service");
    table.add_column("share of work");
  }
  std::uint64_t tasks = 0;
  double busy_s = 0;
  for (const auto& one : summary.classes) {
    tasks += one.tasks;
    busy_s += to_seconds(one.busy);
  }
  for (std::size_t i = 0; i < summary.classes.size(); ++i) {
    const auto& one = summary.classes[i];
    std::vector<std::string> cells{
        header.classes[i], std::to_string(one.tasks),
        fmt::format("{:.1f}%", 100 * static_cast<double>(one.tasks) /
                                   static_cast<double>(std::max<std::uint64_t>(tasks, 1)))};
    if (header.responses_known()) {
      cells.push_back(text_of(one.response_ns.mean()));
      for (const double p : {0.5, 0.95, 0.99})
        cells.push_back(text_of(one.response_ns.quantile(p)));
    }
    if (work) {
      cells.push_back(text_of(one.service_ns.mean()));
      cells.push_back(busy_s > 0 ? fmt::format("{:.1f}%", 100 * to_seconds(one.busy) / busy_s)
                                 : "-");
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string trace_classes_json(const trace::TraceHeader& header,
                               const trace::TraceSummary& summary) {
  return classes_json(header, summary).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string trace_table(const trace::TaskTrace& trace, const trace::TraceSummary& summary) {
  std::string text =
      fmt::format("{} in {}: {:.4g} per second\n", how_many(trace.tasks.size(), "task"),
                  format_duration(summary.length), summary.submitted_per_s);
  for (std::size_t i = 0; i < trace::kTaskOutcomes; ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", summary.outcomes[i],
                        trace::name(static_cast<trace::TaskOutcome>(i)));
  }
  text += fmt::format("; {} dropped by the recorder\n", trace.dropped);
  const auto policy = trace.header.setting("policy");
  if (!policy.empty()) {
    text += fmt::format("policy {}, {} workers, {} loop\n", policy,
                        trace.header.setting("pool.workers"), trace::name(trace.header.loop));
  }
  if (!trace.complete) text += "The recording has no end: it was cut off.\n";
  const bool starts_known = trace.header.starts_known();
  if (!starts_known)
    text += "It does not say when tasks started: how long they waited is not known.\n";
  text += "\n" + time_table(summary, trace.header);
  if (const auto classes = trace_classes_table(trace.header, summary); !classes.empty())
    text += "\n" + classes;
  return starts_known ? text + "\n" + worker_table(summary) : text;
}

std::string trace_json(const trace::TaskTrace& trace, const trace::TraceSummary& summary) {
  Json json{{"schema", "artel.trace/1"},
            {"unit", "s"},
            {"complete", trace.complete && trace.damage.empty()},
            {"tasks", trace.tasks.size()},
            {"dropped", trace.dropped},
            {"loop", trace::name(trace.header.loop)},
            {"settings", Json::object()},
            {"length", to_seconds(summary.length)},
            {"submitted_per_s", summary.submitted_per_s},
            {"finished_per_s", summary.finished_per_s},
            {"outcomes", Json::object()}};
  for (const auto& [name, value] : trace.header.settings) json["settings"][name] = value;
  for (std::size_t i = 0; i < trace::kTaskOutcomes; ++i) {
    json["outcomes"][std::string(trace::name(static_cast<trace::TaskOutcome>(i)))] =
        summary.outcomes[i];
  }
  const bool starts_known = trace.header.starts_known();
  const stat::Histogram nothing;
  const bool responses_known = trace.header.responses_known();
  json["response"] = times_json(responses_known ? summary.response_ns : nothing);
  json["queue_delay"] = times_json(starts_known ? summary.queue_delay_ns : nothing);
  json["service"] = times_json(starts_known || !responses_known ? summary.service_ns : nothing);
  if (!summary.classes.empty()) json["classes"] = classes_json(trace.header, summary);
  json["workers"] = Json::array();
  for (const auto& use : summary.workers) {
    if (!starts_known) break;
    Json worker{{"worker", nullptr}};
    if (use.worker != trace::TaskRecord::kNobody) worker["worker"] = index(use.worker);
    worker["tasks"] = use.tasks;
    worker["busy"] = to_seconds(use.busy);
    worker["utilisation"] = use.share;
    json["workers"].push_back(std::move(worker));
  }
  json["damage"] = Json::array();
  for (const auto& damage : trace.damage) {
    json["damage"].push_back({{"where", damage.where}, {"what", damage.what}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace artel::report
