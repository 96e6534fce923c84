#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::simulated {

/// What a master of one job promises of the chunks that are out, seen from outside: it knows what
/// the master is told and what it does, and nothing of how.
///
///  P1  At every tick all are looked for that nobody has mentioned for `patience`, or that there
///      has been a reason to doubt for 100 ms: messages may be lost, the queue was, it was not
///      stored, or refused. That the queue is lost counts when it is said of a chunk that is out.
///      No doubt lets one wait longer than it would have without.
///  P2  None is looked for sooner without such a reason, unless the queue was asked nothing for
///      `patience`. A copy that was sent counts as mentioned.
///  P3  A second copy of what is slow is sent no sooner than `speculation` times what is usual; what
///      is usual follows each response by a tenth of the difference, so that none of them decides.
/// P1 and P2 say nothing once the server has given up a chunk: trials have times of their own.
class MasterPromises {
 public:
  MasterPromises(std::string job, const QueueOptions& options)
      : job_(std::move(job)), options_(options) {}

  /// Before its step.
  void told(const MasterEvent& event, Instant now);
  /// After it. Returns what is broken.
  [[nodiscard]] std::vector<std::string> did(const MasterActions& actions);

 private:
  struct Out {
    Instant issued{};
    Instant look_from{};  // P2
    Instant look_by{};    // P1
  };
  void mentioned(std::uint64_t index);
  void doubted(std::uint64_t index);
  void doubt_all();
  void ended(std::uint64_t index);
  void sent(const SendChunk& action);
  void looked_up(std::uint64_t index);
  void broken(std::uint64_t index, const std::string& what);

  const std::string job_;
  const QueueOptions options_;
  std::map<std::uint64_t, Out> out_;
  double usual_ns_ = 0;
  std::size_t responses_ = 0;
  bool trials_ = false;
  Instant asked_{};  // the queue, for anything
  bool disconnected_ = false;
  std::vector<std::string> broken_;

  // Of this step.
  Instant now_{};
  bool tick_ = false;
  std::size_t looks_ = 0;
};

}  // namespace artel::cluster::simulated
