#include "artel/cluster/pool_status.hpp"

#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <tuple>
#include <utility>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/engine_subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

// How long a worker may take to answer.
constexpr auto kPatience = 500ms;

using Reports = std::map<std::string, WorkerReport, std::less<>>;  // by worker

// The reports that arrive until `deadline`, or until all that are expected are there.
class Discovery {
 public:
  [[nodiscard]] static Result<Discovery> prepare(const Connection& connection,
                                                 const Subjects& subjects) {
    Discovery call(connection, subjects.discovery());
    const auto status =
        natsConnection_SubscribeSync(call.answers_.out(), connection.handle(), call.inbox_.c_str());
    if (status != NATS_OK) return tl::unexpected(connection.error("call the workers", status));
    return call;
  }

  [[nodiscard]] Result<Reports> call(steady_clock::duration patience, const Reports& expected) {
    const auto status = natsConnection_PublishRequest(connection_->handle(), subject_.c_str(),
                                                      inbox_.c_str(), "", 0);
    if (status != NATS_OK) return tl::unexpected(connection_->error("call the workers", status));
    Reports reports;
    const auto deadline = steady_clock::now() + patience;
    while (reports.size() < kStatusWorkersMax &&
           (expected.empty() || !has_all(reports, expected))) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
      if (left <= 0ms) break;
      EngineHandle<natsMsg> answer;
      const auto got = natsSubscription_NextMsg(OutHandle(answer), answers_.get(), left.count());
      if (got == NATS_TIMEOUT || got == NATS_NO_RESPONDERS) break;
      if (got == NATS_SLOW_CONSUMER) continue;  // more answers than anybody reads
      if (got != NATS_OK) return tl::unexpected(connection_->error("hear from workers", got));
      const auto bytes = connection_->seal().open(SealedKind::report, detail::payload_of(answer));
      if (!bytes) continue;
      auto report = decode_worker_report(*bytes);
      if (!report) continue;  // of another version, or nobody we know
      auto id = report->worker;
      if (!report->leaving) reports.insert_or_assign(std::move(id), *std::move(report));
    }
    return reports;
  }

 private:
  Discovery(const Connection& connection, std::string subject)
      : connection_(&connection),
        subject_(std::move(subject)),
        inbox_(connection.new_inbox()),
        answers_(connection.new_subscription()) {}

  static bool has_all(const Reports& reports, const Reports& expected) {
    return std::ranges::all_of(expected,
                               [&](const auto& entry) { return reports.contains(entry.first); });
  }

  const Connection* connection_;
  std::string subject_;
  std::string inbox_;
  EngineSubscription answers_;
};

// Adds what a consumer of the queue has given out. Nothing: there is none.
Result<void> ask_consumer(const Connection& connection, const Subjects& subjects,
                          const std::string& name, PoolStatus& status) {
  jsErrCode detail{};
  EngineHandle<jsConsumerInfo> info;
  const auto asked = js_GetConsumerInfo(OutHandle(info), connection.jetstream(),
                                        subjects.stream().c_str(), name.c_str(), nullptr, &detail);
  if (asked == NATS_NOT_FOUND) return {};
  if (asked != NATS_OK) return tl::unexpected(connection.error("ask about the queue", asked));
  const auto count = [](std::int64_t value) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, value));
  };
  status.in_hand += count(info->NumAckPending);
  status.redelivered += count(info->NumRedelivered);
  return {};
}

// The messages of the subjects that were asked about.
std::uint64_t asked_about(const jsStreamInfo& info) {
  std::uint64_t count = 0;
  const auto* const all = info.State.Subjects;
  for (int i = 0; all != nullptr && i < all->Count; ++i) count += all->List[i].Msgs;
  return count;
}

// What the stream keeps, less what the workers there have. Nothing: there is no such stream.
Result<void> ask_queues(const Connection& connection, const Subjects& subjects,
                        PoolStatus& status) {
  jsErrCode detail{};
  EngineHandle<jsStreamInfo> tasks;
  const std::string beacons = subjects.beacon("*");
  jsOptions options;
  jsOptions_Init(&options);
  options.Stream.Info.SubjectsFilter = beacons.c_str();
  const auto asked = js_GetStreamInfo(OutHandle(tasks), connection.jetstream(),
                                      subjects.stream().c_str(), &options, &detail);
  if (asked == NATS_NOT_FOUND) return {};
  if (asked != NATS_OK) return tl::unexpected(connection.error("ask about the queue", asked));
  status.queue_bytes = tasks->State.Bytes;
  status.arrived = tasks->State.LastSeq;
  std::set<std::string> queues;
  for (const auto& [report, chunks_per_s, busy_share] : status.workers) {
    for (const std::string& queue : report.queues) {
      if (queues.size() < kStatusQueuesMax) queues.insert(queue);
    }
  }
  for (const std::string& queue : queues) {
    if (auto added = ask_consumer(connection, subjects, queue, status); !added) return added;
  }
  const std::uint64_t taken = status.in_hand + asked_about(*tasks);
  status.queued = tasks->State.Msgs - std::min(tasks->State.Msgs, taken);
  return {};
}

WorkerStatus compare(const WorkerReport* before, WorkerReport now) {
  WorkerStatus status;
  const bool began_again =
      before != nullptr &&
      (now.uptime < before->uptime || now.done < before->done || now.busy < before->busy);
  if (began_again) before = nullptr;
  // Without an earlier report, all of its life.
  const Duration time = before != nullptr ? now.uptime - before->uptime : now.uptime;
  const auto done = now.done - (before != nullptr ? before->done : 0);
  const Duration busy = now.busy - (before != nullptr ? before->busy : Duration{});
  if (time > Duration{}) {
    status.chunks_per_s = static_cast<double>(done) / to_seconds(time);
    if (now.threads > 0) {
      status.busy_share = std::clamp(to_seconds(busy) / to_seconds(time) / now.threads, 0.0, 1.0);
    }
  }
  status.report = std::move(now);
  return status;
}

// With the workers, by host, process and id, and the queue.
Result<PoolStatus> status_of(const Connection& connection, const Subjects& subjects,
                             const Reports& before, Reports now) {
  PoolStatus status{.servers = connection.servers(), .pool = subjects.pool(), .workers = {}};
  for (auto& [id, report] : now) {
    const auto earlier = before.find(id);
    status.workers.push_back(
        compare(earlier == before.end() ? nullptr : &earlier->second, std::move(report)));
    status.chunks_per_s += status.workers.back().chunks_per_s;
  }
  if (auto asked = ask_queues(connection, subjects, status); !asked) return fail(asked);
  std::ranges::sort(status.workers, {}, [](const WorkerStatus& worker) {
    return std::tie(worker.report.host, worker.report.pid, worker.report.worker);
  });
  return status;
}

}  // namespace

Result<PoolStatus> pool_status(const Connection& connection, const std::string& pool,
                               Duration window) {
  const Subjects subjects(pool);
  auto discovery = Discovery::prepare(connection, subjects);
  if (!discovery) return fail(discovery);
  const auto before = discovery->call(window, {});
  if (!before) return fail(before);
  auto now = discovery->call(kPatience, *before);
  if (!now) return fail(now);
  const auto dead = dead_letters(connection, subjects);
  if (!dead) return fail(dead);
  auto status = status_of(connection, subjects, *before, *std::move(now));
  if (!status) return status;
  status->server_version = connection.server_version().value_or("");
  status->looked_for = window;
  status->dead_letters = dead->size();
  return status;
}

struct PoolLooks::State {
  const Connection& connection;
  Subjects subjects;
  Discovery discovery;
  Reports last{};
  std::optional<steady_clock::time_point> looked{};
};

Result<PoolLooks> PoolLooks::prepare(const Connection& connection, const std::string& pool) {
  Subjects subjects(pool);
  auto discovery = Discovery::prepare(connection, subjects);
  if (!discovery) return fail(discovery);
  return PoolLooks(std::unique_ptr<State>(new State{
      .connection = connection, .subjects = subjects, .discovery = *std::move(discovery)}));
}

PoolLooks::PoolLooks(std::unique_ptr<State> state) : state_(std::move(state)) {}
PoolLooks::PoolLooks(PoolLooks&&) noexcept = default;
PoolLooks& PoolLooks::operator=(PoolLooks&&) noexcept = default;
PoolLooks::~PoolLooks() = default;

Result<PoolStatus> PoolLooks::look() {
  State& state = *state_;
  if (!state.connection.is_connected()) {
    return fail(ErrorCode::not_found, "the connection is lost", state.connection.servers());
  }
  auto now = state.discovery.call(kPatience, state.last);
  if (!now) return fail(now);
  auto status = status_of(state.connection, state.subjects, state.last, *now);
  if (!status) return status;
  state.last = *std::move(now);
  const auto at = steady_clock::now();
  status->looked_for = at - state.looked.value_or(at);
  state.looked = at;
  return status;
}

}  // namespace artel::cluster
