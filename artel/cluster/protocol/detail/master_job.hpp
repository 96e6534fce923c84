#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/detail/job_health.hpp"
#include "artel/cluster/protocol/detail/master_shared.hpp"
#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/suspect_trials.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/stat/smoothed_time.hpp"

namespace artel::cluster::detail {

/// One map or reduce as its master sees it: where its chunks go, which are looked for, sent again
/// or given up. What happens to the job comes in; what follows are actions of the master.
/// It keeps M1 to M4 of the MasterMachine for its own chunks, and by its JobHealth M5.
///
/// Cost: a step O(log of the chunks that are out); watch() looks at all of them.
class MasterJob {
 public:
  /// `shared` must outlive it.
  MasterJob(MasterShared& shared, std::string id);

  /// Takes chunks from the source if workers can use more.
  void ask_for_more();
  void on(const SourceGrew& event);
  void on(const SourceEmpty& event);
  void on(ChunkTaken& event);
  void on(const ChunkStored& event);
  void on(const ChunkNotStored& event);
  void on(const ChunkTooLarge& event);
  void on(const ChunkFound& event);
  void on(const MessageRead& event);
  void on(ResultCame& event);
  /// Erases what is out. Returns whether messages of it may be left.
  bool end();

  // ---- Workers
  /// Others are there, or other ones take chunks.
  void workers_changed();
  /// A worker has this chunk.
  void mentioned(std::uint64_t index);
  /// The worker in whose own queue the chunk was is gone; `working`: it finishes this one.
  void left(std::uint64_t index, bool working);
  /// Whether the worker pulls from its queue, if it has one.
  [[nodiscard]] bool is_pulled_by(const WorkerReport& report) const;
  /// Those who know its tasks are to pull from its queue.
  void call_workers();

  // ---- Time
  void watch(Duration passed);
  void did_not_run(Duration time) { health_.did_not_run(time, shared_.now); }
  void disconnected();
  /// The same at every tick until there is a connection again.
  void check_connection();
  void reconnected(Duration gone);

  [[nodiscard]] std::size_t out() const { return chunks_.out(); }
  [[nodiscard]] JobCounts counts() const;

 private:
  using Chunk = OutstandingChunks::Chunk;

  [[nodiscard]] const WorkersView& view();

  // ---- Sending
  void begin_queue(const ChunkOrder& order);
  void send(std::shared_ptr<const ChunkOrder> order);
  void send_copy(std::uint64_t index, std::uint32_t epoch);
  void reissue(std::uint64_t index);

  // ---- How chunks end
  enum class Acknowledged : std::uint8_t { no, yes };  // by the worker that has done it
  bool take_off(std::uint64_t index, Acknowledged acknowledged);
  void erase_copies(Chunk& chunk);
  void refused(const ChunkResult& result);
  void fail(std::uint64_t index, Error error);
  void fail_all(const std::optional<Error>& error);

  // ---- Looking after what is out
  void look_for(std::uint64_t index);
  [[nodiscard]] bool is_passed_over(const Chunk& chunk, const ChunkFound& found) const;
  void mend_queue(const Chunk& chunk, const ChunkFound& found);
  void next_suspect();

  MasterShared& shared_;
  const std::string id_;
  OutstandingChunks chunks_;
  SuspectTrials trials_;
  JobHealth health_;
  std::vector<TaskKey> tasks_;       // that its chunks need; empty: none was taken yet
  std::string queue_;                // of those who know them
  Instant make_again_{};             // not before then
  std::optional<WorkersView> view_;  // nothing: workers may have changed
  JobCounts counts_;                 // without those of its chunks
  std::size_t asked_ = 0;            // chunks that the source still owes
  bool source_may_have_more_ = true;
  std::vector<std::shared_ptr<const ChunkOrder>> held_back_;  // while somebody is on trial
  bool doubted_ = false;                                      // messages of it may be lost, or left
  stat::SmoothedTime item_time_;                              // of an item, as workers say
};

}  // namespace artel::cluster::detail
