#include "app/cluster_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/command_task.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/protocol/printable_text.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/cluster/run_command.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/report/table.hpp"

namespace artel::app {
namespace {

using cluster::PoolStatus;
using cluster::WorkerReport;
using cluster::WorkerStatus;

std::size_t running(const WorkerReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.held, [](const auto& chunk) { return chunk.running > Duration{}; }));
}

std::vector<std::string> task_names(const WorkerReport& report) {
  std::vector<std::string> names;
  for (const auto& task : report.tasks) {
    if (!is_tag(task)) names.push_back(to_string(task));
  }
  return names;
}

std::vector<std::string> tags_of(const WorkerReport& report) {
  std::vector<std::string> tags;
  for (const auto& task : report.tasks) {
    if (is_tag(task)) tags.push_back(task.name.substr(1));
  }
  return tags;
}

std::string worker_table(const PoolStatus& status) {
  using Align = report::Table::Align;
  report::Table table;
  for (const char* title : {"worker", "host", "tags"}) table.add_column(title, Align::left);
  for (const char* title :
       {"threads", "running", "waiting", "busy", "chunks/s", "done", "failed", "returned", "up"}) {
    table.add_column(title);
  }
  for (const WorkerStatus& worker : status.workers) {
    const auto& report = worker.report;
    const auto at_work = running(report);
    std::vector<std::string> tags = tags_of(report);
    std::erase(tags, "host:" + report.host);  // it is in the column before
    table.add_row({report.worker, report.host, join(tags, ","), std::to_string(report.threads),
                   std::to_string(at_work), std::to_string(report.held.size() - at_work),
                   fmt::format("{:.0f}%", 100 * worker.busy_share),
                   fmt::format("{:.4g}", worker.chunks_per_s), std::to_string(report.done),
                   std::to_string(report.failed), std::to_string(report.returned),
                   format_duration(report.uptime)});
  }
  return table.text();
}

// What was to be done: "thumbnail v1", for a reduce of mapped items "size v1, sum v1".
std::string task_of(const cluster::ChunkOrder& order) {
  std::string text = order.map ? to_string(*order.map) : "";
  if (order.fold) text += (text.empty() ? "" : ", ") + to_string(*order.fold);
  return text;
}

// The commands in it: of `artel map --cluster`, one for each item. Whoever has put it there has
// chosen the words.
std::vector<std::vector<std::string>> commands_of(const cluster::ChunkOrder& order) {
  std::vector<std::vector<std::string>> commands;
  if (!order.map || order.map->name != CommandTask::kName) return commands;
  for (cluster::Decoder items(order.items); !items.at_end();) {
    auto command = items.next<cluster::CommandOrder>();
    if (!command) break;
    commands.push_back(std::move(command->words));
  }
  return commands;
}

// The first one as a shell would read it, with nothing in it that controls a terminal.
std::string first_command(const cluster::ChunkOrder& order) {
  const auto commands = commands_of(order);
  if (commands.empty()) return "";
  std::string text = printable_text(command::shell_quote(commands.front()), cluster::Lines::one);
  if (commands.size() > 1) text += fmt::format(" (and {} more)", commands.size() - 1);
  return text;
}

std::string utc(std::uint64_t seconds) {
  constexpr std::uint64_t kEnd = 253'402'300'800;  // the year 10000
  if (seconds == 0 || seconds >= kEnd) return "";
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  std::array<char, sizeof "2026-01-01T00:00:00Z"> text{};
  ::gmtime_r(&time, &parts);
  return {text.data(), std::strftime(text.data(), text.size(), "%FT%TZ", &parts)};
}

// One line, and not too long a one.
std::string shortened(std::string text) {
  constexpr std::size_t kMost = 100;
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' '; }, ' ');
  if (text.size() <= kMost) return text;
  text.resize(kMost);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U)
    text.pop_back();
  if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0U) text.pop_back();
  return text + "…";
}

}  // namespace

std::string status_table(const PoolStatus& status) {
  std::string text = fmt::format("pool '{}' at {}", status.pool, status.servers);
  text += status.server_version.empty() ? "\n" : ", nats-server " + status.server_version + "\n";
  text += fmt::format("{}, {:.4g} chunks/s; {} waiting ({} bytes), {} at workers",
                      how_many(status.workers.size(), "worker"), status.chunks_per_s,
                      how_many(status.queued, "chunk"), status.queue_bytes, status.in_hand);
  if (status.redelivered > 0 && status.in_hand > 0)
    text += fmt::format(" ({} not for the first time)", status.redelivered);
  text += fmt::format("; {}\n", how_many(status.dead_letters, "dead letter"));
  if (!status.workers.empty()) text += '\n' + worker_table(status);
  if (status.dead_letters > 0) text += "\n'artel cluster dead' shows what was given up.\n";
  return text;
}

std::string dead_table(std::span<const cluster::GivenUpChunk> chunks) {
  if (chunks.empty()) return "no dead letters\n";
  using Align = report::Table::Align;
  report::Table table;
  table.add_column("number");
  table.add_column("sent", Align::left);
  table.add_column("job", Align::left);
  table.add_column("first item");
  table.add_column("items");
  for (const char* title : {"task", "command", "last worker", "reason"})
    table.add_column(title, Align::left);
  for (const auto& chunk : chunks) {
    const auto& letter = chunk.letter;
    table.add_row({std::to_string(chunk.number), utc(letter.order.sent_s), letter.order.job,
                   std::to_string(letter.order.first), std::to_string(letter.order.count),
                   task_of(letter.order), first_command(letter.order), letter.worker,
                   shortened(letter.reason)});
  }
  std::string text = table.text();
  for (const auto& chunk : chunks) {
    if (!chunk.doubt.empty())
      text += fmt::format("{} cannot be requeued: {}\n", chunk.number, chunk.doubt);
    else if (is_old(chunk))
      text += fmt::format(
          "{} was sent long before it was given up: requeue it only by its number\n", chunk.number);
  }
  return text;
}

std::string dead_json(std::span<const cluster::GivenUpChunk> chunks) {
  auto letters = nlohmann::ordered_json::array();
  for (const auto& chunk : chunks) {
    const auto& letter = chunk.letter;
    letters.push_back({{"number", chunk.number},
                       {"job", letter.order.job},
                       {"index", letter.order.index},
                       {"first_item", letter.order.first},
                       {"items", letter.order.count},
                       {"task", task_of(letter.order)},
                       {"worker", letter.worker},
                       {"reason", letter.reason},
                       {"commands", commands_of(letter.order)},
                       {"sent_s", letter.order.sent_s},
                       {"stored_s", chunk.stored_s},
                       {"old", is_old(chunk)},
                       {"doubt", chunk.doubt}});
  }
  const nlohmann::ordered_json json{{"schema", "artel.cluster.dead/1"},
                                    {"dead_letters", std::move(letters)}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string status_json(const PoolStatus& status) {
  auto workers = nlohmann::ordered_json::array();
  for (const WorkerStatus& worker : status.workers) {
    const auto& report = worker.report;
    const auto at_work = running(report);
    workers.push_back({{"id", report.worker},
                       {"host", report.host},
                       {"pid", report.pid},
                       {"threads", report.threads},
                       {"running", at_work},
                       {"waiting", report.held.size() - at_work},
                       {"busy_share", worker.busy_share},
                       {"chunks_per_s", worker.chunks_per_s},
                       {"done", report.done},
                       {"failed", report.failed},
                       {"refused", report.refused},
                       {"returned", report.returned},
                       {"uptime_s", to_seconds(report.uptime)},
                       {"tasks", task_names(report)},
                       {"tags", tags_of(report)}});
  }
  const nlohmann::ordered_json json{{"schema", "artel.cluster.status/1"},
                                    {"servers", status.servers},
                                    {"server_version", status.server_version},
                                    {"pool", status.pool},
                                    {"window_s", to_seconds(status.looked_for)},
                                    {"chunks_per_s", status.chunks_per_s},
                                    {"queued", status.queued},
                                    {"queue_bytes", status.queue_bytes},
                                    {"at_workers", status.in_hand},
                                    {"redelivered", status.redelivered},
                                    {"dead_letters", status.dead_letters},
                                    {"workers", std::move(workers)}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace artel::app
