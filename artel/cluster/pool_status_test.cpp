#include "artel/cluster/pool_status.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::DoubleNear;
using testing::Field;

class Status : public testing::Test {
 protected:
  LocalServer server_ = LocalServer::start().value();
  Connection connection_ = Connection::connect(server_.cluster()).value();
  Subjects subjects_{"test"};

  const std::string given_up_ = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.MR_test.S_1";

  static ChunkOrder an_order() {
    return {.job = "job", .index = 7, .reply = "_INBOX.x", .items = "items"};
  }
  void add_stream(const std::string& name, const std::string& subject,
                  const std::string& other = {}) {
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = name.c_str();
    const char* subjects[] = {subject.c_str(), other.c_str()};  // NOLINT(*-avoid-c-arrays)
    config.Subjects = subjects;
    config.SubjectsLen = other.empty() ? 1 : 2;
    config.Storage = js_MemoryStorage;
    EXPECT_EQ(js_AddStream(nullptr, connection_.jetstream(), &config, nullptr, nullptr), NATS_OK);
  }
  void publish(const std::string& subject, const std::string& bytes) {
    EXPECT_EQ(js_Publish(nullptr, connection_.jetstream(), subject.c_str(), bytes.data(),
                         static_cast<int>(bytes.size()), nullptr, nullptr),
              NATS_OK);
  }
};

// Answers discoveries with reports whose counters go on, for as long as it lives.
class AnsweringWorker {
 public:
  AnsweringWorker(const Connection& connection, const Subjects& subjects, WorkerReport first)
      : connection_(connection),
        report_(std::move(first)),
        discoveries_(
            detail::Subscription::open(connection, subjects.discovery(),
                                       [this](const detail::Message& call) { answer(call); })
                .value()) {
    EXPECT_TRUE(connection.flush(5s));
  }

 private:
  void answer(const detail::Message& call) {
    const auto bytes = encode(report_);
    EXPECT_EQ(
        natsConnection_Publish(connection_.handle(), std::string(detail::reply_of(call)).c_str(),
                               bytes.data(), static_cast<int>(bytes.size())),
        NATS_OK);
    report_.uptime += 2s;
    report_.done += 10;
    report_.busy += 1s;
  }

  const Connection& connection_;
  WorkerReport report_;
  detail::Subscription discoveries_;  // ends first, and waits for answer()
};

TEST_F(Status, OfAPoolThatNobodyUsesIsEmpty) {
  const auto status = pool_status(connection_, "test", 10ms).value();
  EXPECT_TRUE(status.workers.empty());
  EXPECT_EQ(status.queued + status.in_hand + status.dead_letters, 0U);
  EXPECT_EQ(status.pool, "test");
}

TEST_F(Status, RatesAreOfTheTimeBetweenTheTwoCalls) {
  const AnsweringWorker second(
      connection_, subjects_,
      {.worker = "w2", .host = "b", .uptime = 100s, .threads = 1, .done = 5});
  const AnsweringWorker first(
      connection_, subjects_,
      {.worker = "w1", .host = "a", .uptime = 50s, .threads = 2, .done = 7});
  const auto status = pool_status(connection_, "test", 200ms).value();
  ASSERT_EQ(status.workers.size(), 2U);
  EXPECT_EQ(status.workers[0].report.worker, "w1");
  EXPECT_EQ(status.workers[0].report.done, 17U);
  EXPECT_THAT(status.workers[0].chunks_per_s, DoubleNear(5, 1e-9));
  EXPECT_THAT(status.workers[0].busy_share, DoubleNear(0.25, 1e-9));
  EXPECT_THAT(status.workers[1].busy_share, DoubleNear(0.5, 1e-9));
  EXPECT_THAT(status.chunks_per_s, DoubleNear(10, 1e-9));
}

TEST_F(Status, LooksCompareWithTheLookBefore) {
  auto looks = PoolLooks::prepare(connection_, "test").value();
  EXPECT_TRUE(looks.look().value().workers.empty());
  const AnsweringWorker worker(
      connection_, subjects_,
      {.worker = "w1", .host = "a", .uptime = 50s, .threads = 2, .done = 100});
  const auto first = looks.look().value();
  ASSERT_EQ(first.workers.size(), 1U);
  EXPECT_THAT(first.chunks_per_s, DoubleNear(2, 1e-9)) << "of all its life";
  const auto second = looks.look().value();
  ASSERT_EQ(second.workers.size(), 1U);
  EXPECT_EQ(second.workers[0].report.done, 110U);
  EXPECT_THAT(second.chunks_per_s, DoubleNear(5, 1e-9));
  EXPECT_GT(second.looked_for, 0s);
}

TEST_F(Status, QueueAndDeadLettersAreCounted) {
  add_stream(subjects_.stream(), subjects_.tasks());
  add_stream(subjects_.dead_stream(), subjects_.dead_letters());
  jsConsumerConfig consumer;
  jsConsumerConfig_Init(&consumer);
  consumer.Durable = "S_1";
  consumer.AckPolicy = js_AckExplicit;
  ASSERT_EQ(js_AddConsumer(nullptr, connection_.jetstream(), subjects_.stream().c_str(), &consumer,
                           nullptr, nullptr),
            NATS_OK);
  for (std::uint64_t i = 0; i < 3; ++i) publish(subjects_.task("S_1", {"job", i}), "x");
  EXPECT_TRUE(bury(connection_, subjects_, {"it threw", "w1", an_order()}));
  const auto status = pool_status(connection_, "test", 10ms).value();
  EXPECT_EQ(status.queued, 3U);
  EXPECT_EQ(status.in_hand, 0U);
  EXPECT_EQ(status.dead_letters, 1U);
  EXPECT_GT(status.queue_bytes, 0U);
  EXPECT_EQ(status.arrived, 3U);
  ASSERT_EQ(js_PurgeStream(connection_.jetstream(), subjects_.stream().c_str(), nullptr, nullptr),
            NATS_OK);
  const auto purged = PoolLooks::prepare(connection_, "test").value().look().value();
  EXPECT_EQ(purged.queued, 0U);
  EXPECT_EQ(purged.arrived, 3U) << "that came, though they are gone";
}

// Both have to be dealt with: the order still lies in the queue.
TEST_F(Status, WhatTheServerGaveUpIsNotLostBesideALetterOfTheSameChunk) {
  add_stream(subjects_.stream(), subjects_.tasks());
  add_stream(subjects_.dead_stream(), subjects_.dead_letters(), subjects_.given_up());
  publish(subjects_.task("S_1", {"job", 7}),
          connection_.seal().close(SealedKind::order, encode(an_order())));
  publish(given_up_, R"({"stream_seq": 1})");
  EXPECT_TRUE(bury(connection_, subjects_, {"it threw", "w1", an_order()}));
  const auto chunks = dead_letters(connection_, subjects_).value();
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[0].abandoned, 1U);
  for (const auto& chunk : chunks) EXPECT_TRUE(discard(connection_, subjects_, chunk));
  EXPECT_TRUE(dead_letters(connection_, subjects_)->empty());
  EXPECT_EQ(pool_status(connection_, "test", 10ms)->queued, 0U);
}

// `cluster down` asks by this whether anything waits.
TEST_F(Status, ABeaconThatWaitsIsNoChunk) {
  add_stream(subjects_.stream(), subjects_.tasks());
  publish(subjects_.beacon("w1"), "x");
  publish(subjects_.beacon("w1"), "x");
  publish(subjects_.beacon("w2"), "x");
  EXPECT_EQ(pool_status(connection_, "test", 10ms)->queued, 0U);
  publish(subjects_.task("S_1", {"job", 0}), "x");
  EXPECT_EQ(pool_status(connection_, "test", 10ms)->queued, 1U);
}

// Whoever may publish to the dead letters could have waiting chunks removed as given up.
TEST_F(Status, OnlyTheServerSaysThatItGaveAChunkUp) {
  add_stream(subjects_.stream(), subjects_.tasks());
  add_stream(subjects_.dead_stream(), subjects_.dead_letters());
  publish(subjects_.task("S_1", {"job", 7}), encode(an_order()));
  publish("mr.test.d.advisory", R"({"stream_seq": 1})");
  const auto chunks = dead_letters(connection_, subjects_).value();
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].abandoned, 0U);
  EXPECT_NE(chunks[0].doubt, "");
  EXPECT_TRUE(discard(connection_, subjects_, chunks[0]));
  EXPECT_EQ(pool_status(connection_, "test", 10ms)->queued, 1U);
}

// Of a worker whose connection the server ended.
TEST_F(Status, AWorkerWhoseCountersBeganAgainIsANewOne) {
  auto looks = PoolLooks::prepare(connection_, "test").value();
  {
    const AnsweringWorker worker(connection_, subjects_,
                                 {.worker = "w1", .uptime = 500s, .threads = 1, .done = 1000});
    ASSERT_EQ(looks.look()->workers.size(), 1U);
  }
  const AnsweringWorker again(connection_, subjects_,
                              {.worker = "w1", .uptime = 10s, .threads = 1, .done = 20});
  EXPECT_THAT(looks.look()->chunks_per_s, DoubleNear(2, 1e-9));
}

// Whatever anybody who can publish answers, the status is that of the others.
TEST_F(Status, NoAnswerEndsIt) {
  add_stream(subjects_.stream(), subjects_.tasks());
  const AnsweringWorker worker(connection_, subjects_, {.worker = "w1", .threads = 1});
  const std::vector<std::string> answers{
      encode(WorkerReport{.worker = "evil", .queues = {"no.such"}}),
      encode(WorkerReport{.worker = "evil", .queues = {std::string(5000, 'x')}}),
      encode(WorkerReport{.worker = "evil",
                          .every = 1ns,
                          .uptime = Duration::max() / 4,
                          .threads = ~0U,
                          .credit = ~0U,
                          .done = ~std::uint64_t{0},
                          .busy = Duration::max() / 4,
                          .queues = std::vector<std::string>(3000, "S_1")}),
      "",
      std::string(100, '\xc1'),
      "\x04\xdd\xff\xff\xff\xff"};
  const auto thief = detail::Subscription::open(
      connection_, subjects_.discovery(), [&](const detail::Message& call) {
        for (const std::string& bytes : answers) {
          EXPECT_EQ(natsConnection_Publish(connection_.handle(),
                                           std::string(detail::reply_of(call)).c_str(),
                                           bytes.data(), static_cast<int>(bytes.size())),
                    NATS_OK);
        }
      });
  ASSERT_TRUE(thief);
  ASSERT_TRUE(connection_.flush(5s));
  const auto status = pool_status(connection_, "test", 100ms);
  ASSERT_TRUE(status) << to_string(status.error());
  EXPECT_THAT(status->workers,
              Contains(Field(&WorkerStatus::report, Field(&WorkerReport::worker, "w1"))));
}

}  // namespace
}  // namespace artel::cluster
