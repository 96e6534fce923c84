// Dead letters of a pool that signs, on a real server that lets everybody in: what an operator does
// with them, and what a thief can make of them.
#include "artel/cluster/dead_letters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/parallel/map.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::atomic<int> runs = 0;
std::atomic<bool> fails = true;

}  // namespace

ARTEL_TASK(fails_at_first, int, int x) {
  ++runs;
  if (fails) throw std::runtime_error("not yet");
  return x;
}

namespace {

class DeadLetters : public testing::Test {
 protected:
  DeadLetters() {
    runs = 0;
    fails = true;
    for (const std::string name : {"master", "worker", "stranger"}) {
      const Secret seed = make_seed().value();
      std::ofstream(file(name)) << seed.reveal() << "\n";
      std::ofstream(file(name + ".pub")) << public_key_of(seed).value() << "\n";
    }
  }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return folder_.path() / name;
  }
  [[nodiscard]] ClusterOptions signing(const std::string& name, const std::string& peer) const {
    ClusterOptions options = server_.cluster();
    options.sign_key = file(name);
    options.trusted_keys = file(peer + ".pub");
    return options;
  }
  // As `artel cluster up` makes it: public keys, and none to sign with.
  [[nodiscard]] Connection an_operator() const {
    ClusterOptions options = server_.cluster();
    options.trusted_keys = file("worker.pub");
    options.master_keys = file("master.pub");
    return Connection::connect(options).value();
  }
  [[nodiscard]] Connection with_key_of(const std::string& name) const {
    ClusterOptions options = server_.cluster();
    options.sign_key = file(name);
    return Connection::connect(options).value();
  }
  [[nodiscard]] MessageSeal seal_of(const std::string& name) const {
    return MessageSeal::open({.key = file(name)}, subjects_.pool()).value();
  }

  void hire() {
    auto node = WorkerNode::connect(
        {.cluster = signing("worker", "master"), .threads = 1, .retry_delay = 1ms});
    ASSERT_TRUE(node) << to_string(node.error());
    node_ = std::move(*node);
    working_ = std::jthread([this](const std::stop_token& stop) { node_->run(stop); });
  }
  // One map, whose only chunk fails for good.
  void fail_once() const {
    auto cluster = Cluster::connect(signing("master", "worker"));
    ASSERT_TRUE(cluster) << to_string(cluster.error());
    EXPECT_THROW(static_cast<void>(parallel::map(*cluster, std::vector{7}, fails_at_first)),
                 RemoteError);
  }
  [[nodiscard]] std::vector<GivenUpChunk> letters(const Connection& connection) const {
    auto found = dead_letters(connection, subjects_);
    EXPECT_TRUE(found) << to_string(found.error());
    return found.value_or(std::vector<GivenUpChunk>{});
  }
  template <class Condition>
  static void wait_until(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!condition()) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::yield();
    }
  }
  // As anybody could, through this connection.
  void publish(const Connection& connection, const std::string& subject,
               const std::string& bytes) const {
    ASSERT_EQ(js_Publish(nullptr, connection.jetstream(), subject.c_str(), bytes.data(),
                         static_cast<int>(bytes.size()), nullptr, nullptr),
              NATS_OK);
  }
  static ChunkOrder forged_order() {
    ChunkOrder order;
    order.job = "forged";
    order.reply = "_INBOX.forged";
    order.lease = 3s;
    order.map = fails_at_first.key();
    order.count = 1;
    order.sent_s = static_cast<std::uint64_t>(wall_now() / 1s);
    order.items = std::string(1, '\x07');
    return order;
  }

  TemporaryFolder folder_;
  LocalServer server_ = LocalServer::start().value();
  Subjects subjects_{server_.cluster().pool};
  std::unique_ptr<WorkerNode> node_;
  std::jthread working_;
};

TEST_F(DeadLetters, AnOperatorWithoutAKeyRequeuesWhatAMasterHasSigned) {
  hire();
  fail_once();
  const Connection connection = an_operator();
  const auto given_up = letters(connection);
  ASSERT_EQ(given_up.size(), 1U);
  EXPECT_EQ(given_up[0].doubt, "");
  EXPECT_EQ(given_up[0].letter.reason, "not yet");
  EXPECT_FALSE(is_old(given_up[0]));
  fails = false;
  const int before = runs;
  ASSERT_TRUE(requeue(connection, subjects_, given_up[0]));
  wait_until([&] { return runs > before; });
  EXPECT_TRUE(letters(connection).empty());
  EXPECT_EQ(node_->report().forged, 0U);
}

// A worker's password lets its thief put anything among the dead letters; with its key, signed.
TEST_F(DeadLetters, WhatNoMasterHasSignedIsShownAndNeverRequeued) {
  hire();
  fail_once();
  const Connection connection = an_operator();
  const auto genuine = letters(connection).at(0);
  const std::string order = encode(forged_order());
  std::string tampered = genuine.letter.order.sealed;
  tampered.back() = static_cast<char>(tampered.back() ^ 1);
  const std::vector<std::string> orders{order, seal_of("worker").close(SealedKind::order, order),
                                        seal_of("stranger").close(SealedKind::order, order),
                                        seal_of("master").close(SealedKind::result, order),
                                        tampered};
  const std::string subject = subjects_.dead_letter({"forged", 0});
  for (const std::string& sealed : orders) {
    DeadLetter letter{.reason = "every worker was lost", .worker = "w", .order = {}};
    letter.order.sealed = sealed;
    publish(connection, subject, encode(letter));
    publish(connection, subject, seal_of("worker").close(SealedKind::letter, encode(letter)));
  }
  // A master's order, put there by somebody without a key.
  DeadLetter copied = genuine.letter;
  publish(connection, subject, encode(copied));
  publish(connection, subject, seal_of("stranger").close(SealedKind::letter, encode(copied)));
  publish(connection, subject, "no letter");

  const auto all = letters(connection);
  ASSERT_EQ(all.size(), 1 + 2 * orders.size() + 3);
  const int before = runs;
  for (const GivenUpChunk& chunk : all) {
    if (chunk.number == genuine.number) continue;
    EXPECT_NE(chunk.doubt, "") << chunk.number;
    const auto back = requeue(connection, subjects_, chunk);
    ASSERT_FALSE(back) << chunk.number;
    EXPECT_EQ(back.error().code, ErrorCode::unsupported);
    EXPECT_THAT(back.error().what, HasSubstr("cannot be requeued: " + chunk.doubt));
  }
  EXPECT_EQ(letters(connection).size(), all.size());
  EXPECT_EQ(runs, before);
  EXPECT_EQ(node_->report().forged, 0U) << "nothing forged was sent";
  for (const GivenUpChunk& chunk : all) EXPECT_TRUE(discard(connection, subjects_, chunk));
  EXPECT_TRUE(letters(connection).empty());
}

// As it does with a folder of before, which has workers' keys alone.
TEST_F(DeadLetters, AMasterRequeuesItsOwnOrders) {
  hire();
  fail_once();
  const Connection connection = Connection::connect(signing("master", "worker")).value();
  DeadLetter forged{.reason = "", .worker = "w", .order = forged_order()};
  forged.order.sealed = encode(forged.order);
  publish(connection, subjects_.dead_letter({"forged", 0}),
          seal_of("worker").close(SealedKind::letter, encode(forged)));
  ASSERT_TRUE(bury(connection, subjects_, {"given up by us", "", forged_order()}));
  const auto all = letters(connection);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].doubt, "");
  EXPECT_THAT(all[1].doubt, HasSubstr("not signed"));
  EXPECT_EQ(all[2].doubt, "");
  fails = false;
  const int before = runs;
  ASSERT_TRUE(requeue(connection, subjects_, all[0]));
  wait_until([&] { return runs > before; });
}

TEST_F(DeadLetters, OneThatSaysItIsOfAnotherChunkDoesNotHideIt) {
  hire();
  fail_once();
  for (const bool with_keys : {true, false}) {
    const Connection connection =
        with_keys ? an_operator() : Connection::connect(server_.cluster()).value();
    const auto genuine = letters(connection).at(0);
    DeadLetter letter{.reason = "forged", .worker = "w", .order = genuine.letter.order};
    letter.order.items = std::string(1, '\x08');
    letter.order.sealed = encode(letter.order);
    publish(connection, subjects_.dead_letter({letter.order.job, letter.order.index}),
            encode(letter));
    auto all = letters(connection);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].number, genuine.number);
    EXPECT_TRUE(all[0].older.empty());
    EXPECT_TRUE(discard(connection, subjects_, all[1]));
    EXPECT_EQ(letters(connection).at(0).number, genuine.number);
  }
}

// Who has no keys cannot know; the worker does, and puts it back.
TEST_F(DeadLetters, WhatAWorkerDoesNotTakeIsADeadLetterAgain) {
  hire();
  fail_once();
  const Connection connection = Connection::connect(server_.cluster()).value();
  ASSERT_TRUE(discard(connection, subjects_, letters(connection).at(0)));
  ASSERT_TRUE(bury(connection, subjects_, {"forged", "", forged_order()}));
  const auto forged = letters(connection).at(0);
  EXPECT_EQ(forged.doubt, "");
  const int before = runs;
  ASSERT_TRUE(requeue(connection, subjects_, forged));
  wait_until([&] { return !letters(connection).empty(); });
  const auto back = letters(connection).at(0);
  EXPECT_THAT(back.letter.reason, HasSubstr("not taken: a forged order: it is not signed"));
  EXPECT_EQ(back.letter.order.sealed, forged.letter.order.sealed);
  EXPECT_EQ(back.letter.worker, node_->id());
  EXPECT_EQ(runs, before);
  EXPECT_EQ(node_->report().forged, 1U);
}

TEST_F(DeadLetters, NothingIsErasedBeforeTheQueueHasIt) {
  hire();
  fail_once();
  working_ = {};
  const Connection connection = an_operator();
  const auto given_up = letters(connection).at(0);
  ASSERT_EQ(js_DeleteStream(connection.jetstream(), subjects_.stream().c_str(), nullptr, nullptr),
            NATS_OK);
  EXPECT_FALSE(requeue(connection, subjects_, given_up));
  EXPECT_EQ(letters(connection).at(0).number, given_up.number);
}

// Nobody signs what another has composed: an order that was put into the queue is given up as it
// is.
TEST_F(DeadLetters, AMasterPutsItsSealUnderItsOwnOrdersAlone) {
  hire();
  fail_once();
  const Connection master = with_key_of("master");
  const Connection connection = an_operator();
  for (const GivenUpChunk& chunk : letters(connection))
    ASSERT_TRUE(discard(connection, subjects_, chunk));
  ChunkOrder order = forged_order();
  order.sealed = encode(order);  // as it was read from the queue
  ASSERT_TRUE(bury(master, subjects_, {"given up", "", order}));
  EXPECT_THAT(letters(connection).at(0).doubt, HasSubstr("it is not signed"));
}

// With the public keys that are in its folder.
TEST_F(DeadLetters, AnOperatorSeesTheWorkersThatSign) {
  hire();
  const Connection thief = Connection::connect(server_.cluster()).value();
  const std::string forged = encode(WorkerReport{.worker = "evil", .threads = 1});
  const auto answering =
      detail::Subscription::open(thief, subjects_.discovery(), [&](const detail::Message& call) {
        const std::string reply(detail::reply_of(call));
        for (const std::string& bytes :
             {forged, seal_of("stranger").close(SealedKind::report, forged)}) {
          natsConnection_Publish(thief.handle(), reply.c_str(), bytes.data(),
                                 static_cast<int>(bytes.size()));
        }
      });
  ASSERT_TRUE(answering);
  ASSERT_TRUE(thief.flush(5s));
  const auto status = pool_status(an_operator(), subjects_.pool(), 100ms);
  ASSERT_TRUE(status) << to_string(status.error());
  ASSERT_EQ(status->workers.size(), 1U);
  EXPECT_EQ(status->workers[0].report.worker, node_->id());
}

TEST_F(DeadLetters, AnOrderOfLongAgoIsOld) {
  GivenUpChunk chunk;
  chunk.stored_s = 1'800'000'000;
  chunk.letter.order.sent_s = chunk.stored_s - kOldOrderSeconds;
  EXPECT_FALSE(is_old(chunk));
  --chunk.letter.order.sent_s;
  EXPECT_TRUE(is_old(chunk));
  chunk.letter.order.sent_s = chunk.stored_s + 5;  // of a clock that is ahead
  EXPECT_FALSE(is_old(chunk));
  hire();
  fail_once();
  const auto now = static_cast<std::uint64_t>(wall_now() / 1s);
  const auto letter = letters(an_operator()).at(0);
  EXPECT_LE(now - letter.stored_s, 60U);
  EXPECT_LE(now - letter.letter.order.sent_s, 60U);
}

TEST_F(DeadLetters, AReasonWithoutRoomIsCutShort) {
  hire();
  fail_once();
  const Connection connection = an_operator();
  const std::size_t most = connection.payload_bytes_max();
  ChunkOrder order = forged_order();
  order.items = std::string(most - 1000, 'x');
  ASSERT_TRUE(bury(connection, subjects_, {std::string(10'000, 'y'), "w", order}));
  order.items = std::string(10, 'x');
  ASSERT_TRUE(bury(connection, subjects_, {std::string(10'000, 'y'), "w", order}));
  const auto all = letters(connection);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_GE(all[1].letter.reason.size(), 100U);
  EXPECT_EQ(all[2].letter.reason.size(), 4096U);
}

}  // namespace
}  // namespace artel::cluster
