#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::simulated {

/// What a master of one job owes, checked after each of its steps from outside: from the events,
/// the actions, and what the machine says of itself. What is promised of times is in
/// MasterPromises.
///
///  L1  A chunk is sent as it was taken, with the options' reply, lease, tries and needs; a later
///      copy is equal but for its epoch, which is the next number.
///  L2  A result that counts ends its chunk in the same step.
///  L3  No copy stays: of a chunk that ends without its worker's acknowledgement, and of one that
///      was sent again, every number that the server has told is erased; a number that comes late
///      is erased if it is a later copy's, or the job is over. Jobs that may have others are swept
///      until the server says that it is done; so are those whose queue was silent for `patience`,
///      as what workers have acknowledged meanwhile may be lost.
///  L4  Nothing is erased that somebody still waits for, unless another copy goes at the same time.
///  L5  What the queue does not have, or will give to nobody (its number is up to `done_to`, or
///      nothing waits and nothing is in hand), is sent again at once; what may still be given, only
///      if a worker has had nothing in hand for longer than all tries take.
///  L6  No more is asked for than the workers that take chunks can use, and their credit is
///      credit(). A draining worker takes none, and is not called. A worker is there from its first
///      report until it leaves, or misses three; the time in which the master could not receive
///      them, stopped or without a connection, is none of the worker's.
///  L7  A chunk is given up when the copies of its trial are lost, and no sooner; then it is buried.
///  L8  An unanswered queue is asked at least every `patience`, and ends the map after
///      `worker_timeout` and two times `patience`, whatever workers report and the connection does;
///      likewise a pool without workers after `worker_timeout`, and a queue that gives nothing to
///      workers that wait. No map ends sooner: the time in which the master was stopped counts for
///      none of this, the time without a connection for the queue's silence alone.
///  L9  With a dispatch policy each chunk goes into the queue of a worker that has a place free, and
///      into the common one if none has. A place is taken by one chunk that is out, and by no
///      other. From the tick after a worker drains or is gone it has no queue. Its beacon is erased
///      then, unless it was answered.
class MasterLaws {
 public:
  /// Whether the server gives each number to one message.
  enum class Numbers : std::uint8_t { once, again };
  MasterLaws(std::string job, std::string reply, QueueOptions options, Numbers numbers);

  /// Before the step.
  void told(const MasterEvent& event, Instant now);
  /// After it. Returns what is broken.
  [[nodiscard]] std::vector<std::string> check(const MasterEvent& event,
                                               const MasterActions& actions,
                                               const MasterMachine& machine, Instant now);

 private:
  // A chunk that was sent and has not ended.
  struct Sent {
    std::string bytes;  // but for the epoch
    std::uint32_t epoch = 0;
    std::string worker;  // in whose queue it is looked up; empty: the common one
    std::string place;   // the worker that has one for it
    Instant sent{};
    std::set<StoredNumber> stored;
    std::size_t given_up = 0;  // copies
  };
  enum class End : std::uint8_t { finished, given_up, failed };

  void note(const MasterActions& actions, Instant now);
  void sent(const SendChunk& action, Instant now);
  void looked_up(const LookUpChunk& action, Instant now);
  void ended(std::uint64_t index, End how);
  void asked(Instant now);
  void check_answer(const MasterEvent& event);
  void check_stored(const ChunkStored& event);
  void check_found(const ChunkFound& event, const MasterMachine& machine);
  void check_read(const MessageRead& event);
  void check_ended(const JobEnded& event);
  void check_erased();
  void check_workers(const MasterActions& actions, const MasterMachine& machine);
  void not_counted(Duration time, Instant now);
  void not_received(Duration time, Instant now);
  void check_members(const MasterMachine& machine, Instant now);
  void check_time(const MasterMachine& machine, Instant now);
  [[nodiscard]] bool cut_off(Instant now) const;
  void check_failures(bool anybody, Instant now);
  void place(const SendChunk& action);
  [[nodiscard]] std::size_t placed_at(const std::string& worker) const;
  void check_own_queues(const MasterEvent& event, const MasterActions& actions,
                        const MasterMachine& machine);
  void check_beacon(const BeaconStored& event);
  void check_sweep(Instant now);
  [[nodiscard]] bool knows(const WorkerReport& report) const;
  [[nodiscard]] std::string queue() const;
  [[nodiscard]] bool pulls(const WorkerReport& report) const;
  [[nodiscard]] std::size_t out_max(const MasterMachine& machine) const;
  [[nodiscard]] Sent* find(const ChunkAddress& chunk);
  void broken(std::string what) { broken_.push_back(std::move(what)); }

  const std::string job_;
  const std::string reply_;
  const QueueOptions options_;
  const Duration silence_max_;
  const Numbers numbers_;
  bool there_ = false;  // the job
  std::vector<TaskKey> tasks_;
  std::map<std::uint64_t, ChunkOrder> taken_;  // and not sent
  std::map<std::uint64_t, Sent> out_;
  std::size_t asked_for_ = 0;            // of the source
  bool doubted_ = false;                 // there may be messages whose numbers nobody knows
  std::optional<Instant> swept_;         // the last try
  std::map<std::string, Instant> idle_;  // when workers have said so
  bool call_due_ = false;
  bool disconnected_ = false;
  Instant disconnected_at_{};
  std::optional<Instant> unanswered_;
  Instant asked_{};
  std::optional<Instant> deserted_;
  Instant begun_{};
  Instant moved_{};  // the last sign that chunks are worked on
  std::optional<Instant> ticked_;
  Duration passed_{};  // between the last two ticks
  struct Member {
    Instant silent_since{};
    Duration every{};
  };
  std::map<std::string, Member> members_;
  std::map<std::string, std::size_t> places_;         // of workers with queues of their own
  std::map<std::string, StoredNumber> beacons_;       // stored, and not answered
  std::map<std::string, std::uint64_t> last_beacon_;  // sent

  // Of this step.
  bool tick_ = false;   // with a connection
  bool found_ = false;  // the server says what it has of a chunk
  std::set<StoredNumber> erased_;
  std::set<StoredNumber> unwanted_;  // of chunks that end, or are sent again
  std::map<std::uint64_t, End> ended_;
  std::vector<std::string> failures_;  // why
  bool queue_failed_ = false;          // one of them: the queue
  std::set<std::uint64_t> sent_again_;
  std::map<std::uint64_t, std::pair<std::string, Instant>> before_;  // of those: where, and when
  std::map<std::uint64_t, std::size_t> reads_;  // of those that end: copies given up before
  std::map<std::uint64_t, std::set<StoredNumber>> owed_;  // to be erased
  bool swept_now_ = false;
  bool called_ = false;
  bool made_ = false;
  std::set<StoredNumber> read_;
  std::size_t buried_ = 0;
  std::set<StoredNumber> buries_;  // erased when their letters are stored
  std::vector<std::string> broken_;
};

}  // namespace artel::cluster::simulated
