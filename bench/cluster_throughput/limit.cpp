#include "bench/cluster_throughput/limit.hpp"

#include <nats/nats.h>
#include <nats/status.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <ratio>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/require.hpp"
#include "bench/cluster_throughput/workload.hpp"
#include "bench/measure.hpp"

namespace artel::bench {
namespace {

using cluster::EngineHandle;
using cluster::OutHandle;
using Clock = std::chrono::steady_clock;

constexpr const char* kStream = "LIMIT";
constexpr const char* kConsumer = "S";
constexpr const char* kReplyTo = "Reply-To";

void must(natsStatus status) {
  ARTEL_REQUIRE(status == NATS_OK, "a call of the engine", natsStatus_GetText(status));
}

void make_queue(jsCtx* jetstream) {
  const char* subject = "limit.t.>";
  jsStreamConfig stream;
  jsStreamConfig_Init(&stream);
  stream.Name = kStream;
  stream.Subjects = &subject;
  stream.SubjectsLen = 1;
  stream.Retention = js_WorkQueuePolicy;
  stream.Discard = js_DiscardNew;
  stream.Storage = js_FileStorage;
  const cluster::QueueOptions bounds;
  stream.MaxMsgs = bounds.chunks_max;
  stream.MaxBytes = bounds.bytes_max;
  stream.MaxAge = bounds.age_max.count();
  stream.Duplicates = std::chrono::nanoseconds(std::chrono::minutes(2)).count();
  must(js_AddStream(nullptr, jetstream, &stream, nullptr, nullptr));
  jsConsumerConfig consumer;
  jsConsumerConfig_Init(&consumer);
  consumer.Durable = kConsumer;
  consumer.FilterSubject = subject;
  consumer.AckPolicy = js_AckExplicit;
  consumer.AckWait = std::chrono::nanoseconds(std::chrono::seconds(3)).count();
  consumer.MaxDeliver = 3;
  consumer.MaxAckPending = 65'536;
  consumer.MaxWaiting = 4096;
  must(js_AddConsumer(nullptr, jetstream, kStream, &consumer, nullptr, nullptr));
}

// Counts results as they come.
struct Results {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<bool> done;
  std::size_t count = 0;
  std::uint64_t checksum = 0;

  static void arrived(natsConnection*, natsSubscription*, natsMsg* message, void* self) {
    const std::unique_ptr<natsMsg, decltype(&natsMsg_Destroy)> owned(message, &natsMsg_Destroy);
    const std::span bytes(natsMsg_GetData(message),
                          static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    auto& results = *static_cast<Results*>(self);
    const std::scoped_lock lock(results.mutex);
    const auto index = number_in(bytes);
    if (results.done[index]) return;
    results.done[index] = true;
    ++results.count;
    results.checksum += share_of(bytes);
    results.changed.notify_one();
  }
};

}  // namespace

ClusterRun limit_master(const cluster::Connection& connection, const ClusterWorkload& workload) {
  make_queue(connection.jetstream());
  EngineHandle<natsInbox> inbox;
  must(natsInbox_Create(OutHandle(inbox)));
  Results results;
  results.done.resize(workload.tasks);
  EngineHandle<natsSubscription> subscription;
  must(natsConnection_Subscribe(OutHandle(subscription), connection.handle(), inbox.get(),
                                Results::arrived, &results));
  must(natsSubscription_SetPendingLimits(subscription.get(), -1, -1));

  ClusterRun run;
  const double before = cpu_seconds();
  const auto started = Clock::now();
  for (std::size_t i = 0; i < workload.tasks; ++i) {
    {
      std::unique_lock lock(results.mutex);
      results.changed.wait(lock, [&] { return i - results.count < workload.in_flight; });
    }
    const auto sent = Clock::now();
    const auto subject = "limit.t.s.job." + std::to_string(i);
    const auto id = "job." + std::to_string(i) + ".0";
    const auto bytes = payload(i, workload.bytes);
    natsMsg* message = nullptr;  // given away
    must(natsMsg_Create(&message, subject.c_str(), nullptr, bytes.data(),
                        static_cast<int>(bytes.size())));
    must(natsMsgHeader_Set(message, kReplyTo, inbox.get()));
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MsgId = id.c_str();
    must(js_PublishMsgAsync(connection.jetstream(), &message, &options));
    if (workload.in_flight == 1) {
      std::unique_lock lock(results.mutex);
      results.changed.wait(lock, [&] { return results.count > i; });
      run.round_trip_us.push_back(
          std::chrono::duration<double, std::micro>(Clock::now() - sent).count());
    }
  }
  std::unique_lock lock(results.mutex);
  results.changed.wait(lock, [&] { return results.count == workload.tasks; });
  run.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  run.master_s = cpu_seconds() - before;
  run.checksum = results.checksum;
  return run;
}

void limit_worker(const cluster::Connection& connection, std::size_t credit) {
  EngineHandle<natsSubscription> subscription;
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = kStream;
  options.Consumer = kConsumer;
  options.ManualAck = true;
  // The master makes the consumer.
  while (js_PullSubscribe(OutHandle(subscription), connection.jetstream(), "limit.t.>", kConsumer,
                          nullptr, &options, nullptr) != NATS_OK) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  while (true) {
    natsMsgList list{};
    const auto status =
        natsSubscription_Fetch(&list, subscription.get(), static_cast<int>(credit), 1000, nullptr);
    if (status == NATS_TIMEOUT) continue;
    must(status);
    for (int i = 0; i < list.Count; ++i) {
      natsMsg* const task = list.Msgs[i];
      const char* reply = nullptr;
      must(natsMsgHeader_Get(task, kReplyTo, &reply));
      must(natsConnection_Publish(connection.handle(), reply, natsMsg_GetData(task),
                                  natsMsg_GetDataLength(task)));
      must(natsMsg_Ack(task, nullptr));
    }
    natsMsgList_Destroy(&list);
  }
}

}  // namespace artel::bench
