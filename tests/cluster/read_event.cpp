#include "tests/cluster/read_event.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

const TaskKey some_task{"f", 1, 0};

// The words of a line, one after the other.
class Words {
 public:
  explicit Words(const std::string& line) : rest_(line) {}
  std::string next() {
    std::string word;
    rest_ >> word;
    while (!word.empty() && word.back() == ',') word.pop_back();
    return word;
  }
  std::uint64_t number() { return std::stoull(next()); }
  bool skip(const std::string& word) { return next() == word; }
  std::string rest() {
    std::string text;
    std::getline(rest_ >> std::ws, text);
    return text;
  }

 private:
  std::istringstream rest_;
};

// "j.3.1": job, index and, if it is there, epoch.
struct Copy {
  ChunkAddress chunk;
  std::uint32_t epoch = 0;
};
Copy copy(const std::string& word) {
  const std::size_t dot = word.find('.');
  if (dot == std::string::npos) throw std::invalid_argument("no chunk: " + word);
  const std::string rest = word.substr(dot + 1);
  const std::size_t second = rest.find('.');
  Copy read{.chunk = {word.substr(0, dot), std::stoull(rest)}};
  if (second != std::string::npos) {
    read.epoch = static_cast<std::uint32_t>(std::stoul(rest.substr(second + 1)));
  }
  return read;
}

std::shared_ptr<ChunkOrder> order(const std::string& word) {
  const Copy named = copy(word);
  auto made = std::make_shared<ChunkOrder>();
  made->job = named.chunk.job;
  made->index = named.chunk.index;
  made->epoch = named.epoch;
  made->count = 1;
  made->lease = std::chrono::seconds(1);
  made->tries = 3;
  made->reply = "master";
  made->map = some_task;
  return made;
}

ChunkOutcome outcome(const std::string& word) {
  if (word == "done") return ChunkOutcome::done;
  if (word == "failed") return ChunkOutcome::failed;
  if (word == "refused") return ChunkOutcome::refused;
  throw std::invalid_argument("no outcome: " + word);
}

ChunkFound found(Words& words) {
  ChunkFound read{.chunk = copy(words.next()).chunk};
  const std::string state = words.next();
  read.state = state == "queued"   ? MessageState::queued
               : state == "absent" ? MessageState::absent
                                   : MessageState::gone;
  if (state != "queued") return read;
  read.number = words.number();
  words.next();  // done to
  words.next();
  read.queue.done_to = words.number();
  read.queue.waiting = words.number();
  words.next();
  read.queue.in_hand = words.number();
  return read;
}

// "w1 threads=2 credit=3 knows pulls S_1 has j.0.0*": who knows, knows the one task.
WorkerReport report(Words& words) {
  WorkerReport read{.worker = words.next(), .every = std::chrono::seconds(1)};
  std::string list;
  for (std::string word = words.next(); !word.empty(); word = words.next()) {
    const std::string value = word.substr(word.find('=') + 1);
    if (word.starts_with("threads="))
      read.threads = static_cast<std::uint32_t>(std::stoul(value));
    else if (word.starts_with("credit="))
      read.credit = static_cast<std::uint32_t>(std::stoul(value));
    else if (word == "draining")
      read.draining = true;
    else if (word == "leaving")
      read.leaving = true;
    else if (word == "knows")
      read.tasks = {some_task};
    else if (word == "pulls" || word == "has")
      list = word;
    else if (list == "pulls")
      read.queues.push_back(word);
    else if (list == "has") {
      const Copy held = copy(word);
      read.held.push_back({held.chunk.job, held.chunk.index, held.epoch,
                           word.back() == '*' ? Duration(1) : Duration()});
    } else
      throw std::invalid_argument("in a report: " + word);
  }
  return read;
}

ChunkResult result(Words& words) {
  const Copy named = copy(words.next());
  ChunkResult read{.job = named.chunk.job, .index = named.chunk.index, .epoch = named.epoch};
  read.outcome = outcome(words.next());
  read.count = 1;
  read.worked = std::chrono::milliseconds(10);
  if (words.skip("from")) read.worker = words.next();
  return read;
}

template <class Event>
using Readers = std::map<std::string, std::function<Event(Words&)>>;

template <class Event>
Event read(const Readers<Event>& readers, const std::string& line) {
  Words words(line);
  const std::string kind = words.next();
  const auto at = readers.find(kind);
  if (at == readers.end()) throw std::invalid_argument("no such event: " + line);
  return at->second(words);
}

}  // namespace

MasterEvent read_master_event(const std::string& line) {
  static const Readers<MasterEvent> readers{
      {"job", [](Words& w) { return JobBegun{w.next()}; }},
      {"end", [](Words& w) { return JobEnded{w.next()}; }},
      {"more", [](Words& w) { return SourceGrew{w.next()}; }},
      {"empty", [](Words& w) { return SourceEmpty{w.next()}; }},
      {"taken", [](Words& w) { return ChunkTaken{order(w.next())}; }},
      {"stored",
       [](Words& w) {
         const Copy named = copy(w.next());
         w.next();
         return ChunkStored{named.chunk, named.epoch, w.number()};
       }},
      {"not-stored", [](Words& w) { return ChunkNotStored{copy(w.next()).chunk}; }},
      {"full",
       [](Words& w) {
         ChunkAddress chunk = copy(w.next()).chunk;
         return ChunkNotStored{std::move(chunk), true, w.rest()};
       }},
      {"found", [](Words& w) { return found(w); }},
      {"given-up", [](Words& w) { return MessageGivenUp{w.number()}; }},
      {"read",
       [](Words& w) {
         const std::uint64_t number = w.number();
         return MessageRead{number, order(w.next())};
       }},
      {"swept",
       [](Words& w) {
         std::string job = w.next();
         return JobSwept{std::move(job), w.next() == "yes"};
       }},
      {"own-queue",
       [](Words& w) {
         std::string worker = w.next();
         return OwnQueueMade{std::move(worker), w.next() == "made"};
       }},
      {"lost", [](Words& w) { return MasterDisconnected{{ErrorCode::closed, w.rest(), ""}}; }},
      {"shut",
       [](Words& w) { return MasterDisconnected{{ErrorCode::invalid, w.rest(), ""}, true}; }},
      {"reconnected", [](Words&) { return MasterReconnected{}; }},
      {"trouble", [](Words& w) { return TroubleCame{{ErrorCode::invalid, w.rest(), ""}}; }},
      {"result", [](Words& w) { return ResultCame{result(w)}; }},
      {"report", [](Words& w) { return ReportCame{report(w)}; }},
      {"tick", [](Words&) { return MasterTick{}; }}};
  return read(readers, line);
}

WorkerEvent read_worker_event(const std::string& line) {
  static const Readers<WorkerEvent> readers{
      {"chunk",
       [](Words& w) {
         ChunkCame came{.ack = w.next()};
         came.order = order(w.next());
         w.next();
         came.queue = w.next();
         w.next();
         came.delivery = static_cast<std::uint32_t>(w.number());
         return came;
       }},
      {"pull-ended",
       [](Words& w) {
         std::string subject = w.next();
         return PullEnded{std::move(subject), w.next()};
       }},
      {"queue",
       [](Words& w) {
         std::string queue = w.next();
         return QueueLookedUp{std::move(queue), w.next() == "there"};
       }},
      {"who", [](Words& w) { return Discovered{w.next()}; }},
      {"called",
       [](Words& w) {
         std::string queue = w.next();
         if (queue == "own") queue.clear();
         return QueueCalled{{std::move(queue), {some_task}}};
       }},
      {"ready", [](Words& w) { return ThreadReady{w.number()}; }},
      {"worked",
       [](Words& w) {
         ChunkWorked worked{.lease = w.number()};
         worked.outcome = outcome(w.next());
         worked.worked = std::chrono::milliseconds(10);
         return worked;
       }},
      {"reconnected", [](Words&) { return WorkerReconnected{}; }},
      {"drain", [](Words&) { return DrainWanted{}; }},
      {"end", [](Words&) { return EndWanted{}; }},
      {"tick", [](Words&) { return WorkerTick{}; }}};
  return read(readers, line);
}

}  // namespace artel::cluster
