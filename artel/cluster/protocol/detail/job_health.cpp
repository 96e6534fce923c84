#include "artel/cluster/protocol/detail/job_health.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/server_link.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

// How long workers may be present without any of them knowing the task: five report intervals.
constexpr Duration kUnknownMax = std::chrono::seconds(5);
constexpr const char* kLookAtServer = "look at JetStream on the server (artel cluster status)";

// What the queue says of a chunk, for people.
std::string in_words(const ChunkFound& found) {
  const QueueState& queue = found.queue;
  switch (found.state) {
    case MessageState::absent:
      return fmt::format("it does not have chunk {}", found.chunk.index);
    case MessageState::gone:
      return "there is no stream";
    case MessageState::queued:
      break;
  }
  if (queue.waiting + queue.in_hand + queue.done_to == 0)
    return fmt::format("it has chunk {}, but no consumer", found.chunk.index);
  return fmt::format(
      "it says that chunk {} is message {}, {} wait, {} are at workers, all up to {} "
      "are done",
      found.chunk.index, found.number, queue.waiting, queue.in_hand, queue.done_to);
}

}  // namespace

void JobHealth::asked(Instant now) {
  asked_at_ = now;
  awaits(now);
}

void JobHealth::awaits(Instant now) {
  if (!unanswered_since_) unanswered_since_ = now;
}

void JobHealth::stored() {
  answered();
  full_ = false;
}

void JobHealth::not_stored(const ChunkNotStored& event) {
  full_ = event.refused;
  if (!event.refused) return;
  answered();
  said_ = event.why;
}

void JobHealth::found(const ChunkFound& event) {
  answered();
  said_ = in_words(event);
}

void JobHealth::did_not_run(Duration time, Instant now) {
  did_not_listen(time, now);
  if (unanswered_since_) unanswered_since_ = std::min(now, *unanswered_since_ + time);
}

// Nor does what came within it: nothing has moved later than now.
void JobHealth::did_not_listen(Duration time, Instant now) {
  moved_ = std::min(now, moved_ + time);
  if (deserted_since_) *deserted_since_ += time;
}

Duration JobHealth::silent_for(Instant now) const {
  return unanswered_since_ ? now - *unanswered_since_ : Duration{};
}

bool JobHealth::asks_again(Instant now) const {
  return unanswered_since_ && now - asked_at_ >= options_.patience;
}

std::optional<Error> JobHealth::check_connection(const ServerLink& link, Instant now) const {
  const MasterDisconnected& lost = *link.gone();
  if (lost.shut) return lost.why;
  const Duration timeout = options_.worker_timeout;
  const Instant since = std::max(link.gone_since(), begun_);
  if (now - since <= timeout) return check_silence(link, now);
  return Error{
      ErrorCode::timeout,
      link.with_trouble(fmt::format("no connection to the server for {}", format_duration(timeout)),
                        since),
      lost.why.where};
}

// However often the connection was there meanwhile.
std::optional<Error> JobHealth::check_silence(const ServerLink& link, Instant now) const {
  const Duration silent = silent_for(now);
  if (options_.worker_timeout == kForever || silent <= limit()) return std::nullopt;
  const auto what =
      fmt::format("the queue has said nothing for {}: {}", format_duration(limit()), kLookAtServer);
  return Error{ErrorCode::timeout, link.with_trouble(what, now - silent), ""};
}

// Workers answer a discovery one after the other, and may start later than the master. So the job
// fails only if no worker has known its task for kUnknownMax.
std::optional<Error> JobHealth::check_workers(std::size_t out, const WorkersView& workers,
                                              const ServerLink& link, Instant now) {
  if (out == 0 || workers.credit > 0) {
    deserted_since_.reset();
    return std::nullopt;
  }
  if (!deserted_since_) deserted_since_ = now;
  const bool unknown = workers.anybody && !workers.known;
  const Duration timeout = options_.worker_timeout;
  if (now - *deserted_since_ <= (unknown ? std::min(kUnknownMax, timeout) : timeout)) {
    return std::nullopt;
  }
  if (unknown) {
    Error error = workers.known.error();
    error.what += " (no worker can do it)";
    return error;
  }
  const bool silent = silent_for(now) > options_.patience;
  const auto what = fmt::format("no worker for {}{}{}", format_duration(timeout),
                                silent ? ", and the queue does not answer: " : ": ",
                                silent ? kLookAtServer : "start some (artel worker)");
  return Error{ErrorCode::timeout, link.with_trouble(what, *deserted_since_), ""};
}

// Fails if workers are present but chunks do not move. A busy worker, with chunks of this job or
// with other work, is a reason to wait.
std::optional<Error> JobHealth::check_queue(const Sight& seen, const ServerLink& link,
                                            Instant now) {
  if (seen.out == 0 || options_.worker_timeout == kForever) {
    answered();
    moved_ = now;
    return std::nullopt;
  }
  if (auto error = check_silence(link, now)) return error;
  if (seen.credit == 0) {
    moved_ = std::min(now, moved_ + seen.passed);
    return std::nullopt;
  }
  if (!seen.idle) moved_ = now;
  if (still_for(now) <= limit()) return std::nullopt;
  const std::string said = said_.empty() ? "" : fmt::format(" ({})", said_);
  if (full_) {
    return Error{ErrorCode::full,
                 fmt::format("the queue has been full for {} of what no worker takes{}: artel "
                             "cluster remove --force empties it",
                             format_duration(limit()), said),
                 ""};
  }
  return Error{ErrorCode::timeout,
               fmt::format("the queue has given nothing to workers that wait for {}{}: {}",
                           format_duration(limit()), said, kLookAtServer),
               ""};
}

}  // namespace artel::cluster::detail
