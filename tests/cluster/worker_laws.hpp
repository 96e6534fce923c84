#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_machine.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::simulated {

/// What a worker owes to everybody else, checked after each of its steps from outside: from the
/// events, the actions, and what the machine says of itself.
///
///  W1  A delivered chunk is posted once. The server receives one last word on it, and no word after
///      that. Nothing leaves the leases before: `leased()` is what has no last word yet.
///  W2  A lease is renewed when a third of it has passed, neither sooner nor later.
///  W3  One request for chunks is open per queue, for exactly the room that the report's credit has.
///  W4  After DrainWanted: no request; while one is open, nothing is handed back and the worker does
///      not leave; when none is, all that has not begun is handed back, and with nothing leased it
///      leaves, at once.
///  W5  A function that threw gets each of the order's tries and none more; the last is answered and
///      buried.
///  W6  What cannot be posted is handed back. EndWanted hands all back.
///  W7  A discovery is answered to its asker; a change of connection is told to everybody, and the
///      queues are looked up again.
///  W8  The report holds exactly the leased chunks, in hand or waiting, and comes every
///      `report_every`.
class WorkerLaws {
 public:
  explicit WorkerLaws(WorkerMachine::Options options) : options_(std::move(options)) {}

  /// Returns what is broken. `machine`: after the step.
  [[nodiscard]] std::vector<std::string> check(const WorkerEvent& event,
                                               const WorkerActions& actions,
                                               const WorkerMachine& machine, Instant now);

 private:
  struct Lease {
    std::shared_ptr<const ChunkOrder> order;  // null: a beacon
    std::uint32_t delivery = 0;
    std::string ack;
    Instant renewed{};
    bool begun = false;
    bool told = false;  // the last word
  };
  struct Request {
    std::string reply;
    std::size_t left = 0;
    Instant ends{};
  };

  void before(const WorkerEvent& event, Instant now);
  void did(const WorkerAction& action, Instant now);
  void after(const WorkerEvent& event, const WorkerMachine& machine, Instant now);
  void check_state(const WorkerEvent& event, const WorkerMachine& machine, Instant now);
  void after_drain(const WorkerEvent& event, const WorkerMachine& machine, Instant now);
  void check_report(const WorkerReport& report);
  void told(const std::string& ack, const std::string& word, Instant now);
  void worked(const ChunkWorked& event);
  void called(const QueueCall& call, const std::vector<std::string>& queues);
  [[nodiscard]] Lease* lease_of(const std::string& ack, const std::string& word);
  [[nodiscard]] bool any_open(Instant now) const;
  [[nodiscard]] std::size_t count(const std::string& word) const;
  void broken(std::string what) { broken_.push_back(std::move(what)); }

  const WorkerMachine::Options options_;
  std::map<LeaseId, Lease> leases_;
  LeaseId last_lease_ = 0;
  std::map<QueueName, Request> requests_;
  std::map<QueueName, Instant> looked_up_;
  std::vector<QueueName> queues_;  // that it pulls from
  bool draining_ = false;
  bool left_ = false;
  std::optional<Instant> reported_;

  // Of this step.
  LeaseId concerned_ = 0;  // by the event
  bool told_before_ = false;
  bool ends_ = false;
  bool unreadable_ = false;
  std::vector<std::string> words_;  // "-NAK ack", "answer +ACK ack", "bury", "report to …", …
  std::vector<Pull> pulls_;
  std::vector<std::string> broken_;
};

}  // namespace artel::cluster::simulated
