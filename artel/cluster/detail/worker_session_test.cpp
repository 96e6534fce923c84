// The order of what a worker does with what comes together; the server's side by hand.
#include "artel/cluster/detail/worker_session.hpp"
#include "artel/cluster/detail/new_worker_id.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "tests/cluster/bytes_sent.hpp"

namespace artel::cluster {

ARTEL_TASK(session_result, std::string, int bytes) {
  return std::string(static_cast<std::size_t>(bytes), 'x');
}

namespace detail {
namespace {

using namespace std::chrono_literals;

// A worker of one thread, and what it is told and tells.
class WorkerSessionTest : public testing::Test {
 protected:
  static constexpr int kPatienceMs = 20'000;

  void SetUp() override {
    ASSERT_TRUE(session_.open());
    working_ = std::jthread([this](const std::stop_token& stop) { session_.run(stop); });
    // Where it wants answers is seen when it asks for its own queue.
    const std::string call = encode(QueueCall{});
    std::unique_lock guard(lock_);
    for (int tries = 0; inbox_.empty() && tries < 2000; ++tries) {
      publish(subjects_.discovery(), "", call);
      changed_.wait_for(guard, 10ms, [this] { return !inbox_.empty(); });
    }
    ASSERT_NE(inbox_, "");
  }
  void TearDown() override {
    open_gate();
    working_ = {};
  }

  void publish(const std::string& subject, const std::string& reply, const std::string& bytes) {
    natsMsg* made = nullptr;
    ASSERT_EQ(natsMsg_Create(&made, subject.c_str(), reply.empty() ? nullptr : reply.c_str(),
                             bytes.data(), static_cast<int>(bytes.size())),
              NATS_OK);
    const Message message(made);
    ASSERT_EQ(natsConnection_PublishMsg(master_.handle(), made), NATS_OK);
  }
  // As if it had been pulled. Without a result, its task is unknown: that is its result.
  void deliver_chunk(std::uint64_t index, int result_bytes = 0) {
    ChunkOrder order{
        .job = "job", .index = index, .reply = "result", .lease = 60s, .kind = ChunkKind::map};
    if (result_bytes > 0) order.map = session_result.key();
    order.count = 1;
    encode_to(order.items, result_bytes);
    publish(inbox_ + ".pulled", fmt::format("ack.{}", index), encode(order));
  }
  // Its problem is told on the thread that chunks come on.
  void deliver_unreadable() { publish(inbox_ + ".pulled", "ack.unreadable", "?"); }
  // What was delivered is at the worker.
  void flush() {
    ASSERT_EQ(natsConnection_FlushTimeout(master_.handle(), kPatienceMs), NATS_OK);
    ASSERT_EQ(natsConnection_FlushTimeout(workers_, kPatienceMs), NATS_OK);
  }
  template <class Condition>
  bool wait(Condition condition) {
    std::unique_lock guard(lock_);
    return changed_.wait_for(guard, 20s, condition);
  }
  void open_gate() {
    const std::lock_guard guard(lock_);
    open_ = true;
    changed_.notify_all();
  }

  // The first holds up what comes behind it; the next one waits whether something begins.
  void problem_came() {
    std::unique_lock guard(lock_);
    changed_.notify_all();
    if (++problems_ == 1) {
      changed_.wait_for(guard, 20s, [this] { return open_; });
    } else {
      early_ = changed_.wait_for(guard, 200ms, [this] { return !results_.empty(); });
    }
  }

  LocalServer server_ = LocalServer::start({.jetstream = false}).value();
  const Subjects subjects_{server_.cluster().pool};
  std::mutex lock_;
  std::condition_variable changed_;
  std::string inbox_;
  int problems_ = 0;
  bool open_ = false;
  bool early_ = false;                    // a result came before all that came together was there
  std::map<std::uint64_t, int> results_;  // of each chunk
  std::multiset<std::string> told_;       // subjects of what the server is told

  Connection master_ = Connection::connect(server_.cluster()).value();
  Subscription asked_ =
      Subscription::open(master_, "$JS.API.CONSUMER.INFO.>", [this](const Message& message) {
        const std::lock_guard guard(lock_);
        const std::string_view reply = reply_of(message);
        inbox_ = reply.substr(0, reply.find(".look"));
        changed_.notify_all();
      }).value();
  Subscription answers_ = Subscription::open(master_, "result", [this](const Message& message) {
                            const auto result = decode_chunk_result(payload_of(message));
                            const std::lock_guard guard(lock_);
                            if (result) ++results_[result->index];
                            changed_.notify_all();
                          }).value();
  Subscription acknowledged_ = Subscription::open(master_, "ack.*", [this](const Message& message) {
                                 const std::lock_guard guard(lock_);
                                 told_.emplace(subject_of(message));
                                 changed_.notify_all();
                               }).value();

  Connection connection_ = Connection::connect(server_.cluster()).value();
  natsConnection* const workers_ = connection_.handle();
  natsConnection* const workers_bulk_ = connection_.bulk();
  WorkerSession session_{{.cluster = server_.cluster(),
                          .threads = 1,
                          .on_problem = [this](const Error&) { problem_came(); }},
                         std::move(connection_),
                         1,
                         std::make_shared<WorkerSession::Signals>(),
                         new_worker_id()};
  std::jthread working_;
};

TEST_F(WorkerSessionTest, ChunksThatComeTogetherBeginWhenAllAreThere) {
  constexpr std::uint64_t kChunks = 5;
  deliver_unreadable();
  ASSERT_TRUE(wait([this] { return problems_ == 1; }));
  for (std::uint64_t i = 0; i < kChunks; ++i) deliver_chunk(i);
  deliver_unreadable();
  flush();
  open_gate();
  ASSERT_TRUE(wait([this] { return problems_ == 2 && results_.size() == kChunks; }));
  ASSERT_TRUE(wait([this] { return told_.size() == kChunks + 2; }));
  const std::lock_guard guard(lock_);
  EXPECT_FALSE(early_);
  for (std::uint64_t i = 0; i < kChunks; ++i) {
    EXPECT_EQ(results_[i], 1) << i;
    EXPECT_EQ(told_.count(fmt::format("ack.{}", i)), 1) << i;
  }
}

// Results of short chunks leave together; one that is large would be copied to where they wait.
TEST_F(WorkerSessionTest, ALargeResultLeavesByItself) {
  constexpr int kLarge = 20'000;
  constexpr std::uint64_t kSmallOnes = 20, kLargeOnes = 10;
  deliver_unreadable();
  for (std::uint64_t i = 0; i < kSmallOnes; ++i) deliver_chunk(i);
  for (std::uint64_t i = 0; i < kLargeOnes; ++i) deliver_chunk(kSmallOnes + i, kLarge);
  flush();
  open_gate();
  ASSERT_TRUE(wait([this] { return told_.size() == 1 + kSmallOnes + kLargeOnes; }));
  ASSERT_TRUE(wait([this] { return results_.size() == kSmallOnes + kLargeOnes; }));
  EXPECT_LT(bytes_sent(workers_bulk_), kLarge);
  EXPECT_GT(bytes_sent(workers_), kLargeOnes * kLarge);
}

}  // namespace
}  // namespace detail
}  // namespace artel::cluster
