#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/cluster/protocol/detail/suspect_trials.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/stat/smoothed_time.hpp"

namespace artel::cluster::detail {

/// What a job knows of the workers.
struct WorkersView {
  std::size_t credit = 0;   ///< chunks that those who know the job's tasks have in hand at most
  std::size_t out_max = 0;  ///< chunks that are to be out at most, so that nobody runs out
  bool anybody = false;     ///< whether there is any worker
  Result<void> known{};     ///< whether one of them knows the tasks; else what to say
};

/// One map or reduce as its master sees it.
struct MasterJob {
  MasterJob(std::string name, OutstandingChunks::Rules rules, unsigned tries, Instant now)
      : id(std::move(name)), begun(now), chunks(rules), trials(tries), moved(now) {}

  const std::string id;
  const Instant begun;
  OutstandingChunks chunks;
  SuspectTrials trials;
  std::vector<TaskKey> tasks;       // that its chunks need; empty: none was taken yet
  std::string queue;                // of those who know them
  Instant make_again{};             // not before then
  std::optional<WorkersView> view;  // nothing: workers may have changed
  JobCounts counts;

  std::size_t asked = 0;  // chunks that the source still owes
  bool source_may_have_more = true;
  std::vector<std::shared_ptr<const ChunkOrder>> held_back;  // while somebody is on trial

  bool doubted = false;                     // messages of it may be lost, or left
  std::optional<Instant> deserted_since{};  // no worker could do it
  // Since when the queue owes an answer; nothing: it has given one since it was asked last.
  std::optional<Instant> unanswered_since{};
  Instant asked_at{};            // the last time
  bool full = false;             // the queue's last word
  std::string said{};            // and in words: what it refused, or knew of a chunk
  Instant moved;                 // last sign that its chunks are worked on
  stat::SmoothedTime item_time;  // of an item, as workers say
};

}  // namespace artel::cluster::detail
