#include "artel/cluster/detail/run_chunk.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/item_run.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/core/error.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

void work(const TaskRegistry& registry, const ChunkOrder& order, ItemRun& run) {
  const auto refuse = [&](const Error& error) {
    run.note_unreadable(0, error);
    return;
  };
  std::string mapped;
  if (order.map) {
    const auto task = registry.find(*order.map);
    if (!task) return refuse(task.error());
    if (task->map == nullptr) {
      return refuse({ErrorCode::unsupported,
                     fmt::format("task '{}' does not take one item", order.map->name), ""});
    }
    task->map(run);
    if (!order.fold || run.unreadable || !run.problems.empty()) return;
    mapped.swap(run.output);
    run.items = Decoder(mapped);
  }
  if (!order.fold) {
    if (!order.map) refuse({ErrorCode::invalid, "the order names no task", ""});
    return;
  }
  const auto task = registry.find(*order.fold);
  if (!task) return refuse(task.error());
  if (task->fold == nullptr) {
    return refuse({ErrorCode::unsupported,
                   fmt::format("task '{}' does not take a sum and an item", order.fold->name), ""});
  }
  task->fold(run, order.init);
}

}  // namespace

ChunkResult run_chunk(const TaskRegistry& registry, const ChunkOrder& order,
                      const std::vector<std::string>& tags) {
  ItemRun run{.items = Decoder(order.items),
              .kind = order.kind,
              .first = order.first,
              .count = order.count,
              .retries = order.retries,
              .output = {},
              .problems = {}};
  const auto begun = steady_now();
  const auto lacks = std::ranges::find_if(order.needs, [&](const std::string& tag) {
    return std::ranges::find(tags, tag) == tags.end();
  });
  if (lacks == order.needs.end()) {
    work(registry, order, run);
  } else {
    run.unreadable = true;
    run.problems = {{order.first, 1, "", fmt::format("no tag '{}' there", *lacks)}};
  }
  ChunkResult result;
  result.job = order.job;
  result.index = order.index;
  result.epoch = order.epoch;
  result.worked = steady_now() - begun;
  result.count = run.done;
  result.output = std::move(run.output);
  result.problems = std::move(run.problems);
  if (run.unreadable) {
    result.outcome = ChunkOutcome::refused;
  } else if (!result.problems.empty() && order.kind != ChunkKind::collect) {
    result.outcome = ChunkOutcome::failed;
  }
  return result;
}

}  // namespace artel::cluster::detail
