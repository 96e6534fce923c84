#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/protocol/protocol_version.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <msgpack.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;

ChunkOrder an_order() {
  ChunkOrder order;
  order.job = "j7";
  order.index = 3;
  order.epoch = 1;
  order.reply = "_INBOX.x";
  order.lease = 3s;
  order.tries = 4;
  order.kind = ChunkKind::fold;
  order.map = TaskKey{"length", 1, 77};
  order.fold = TaskKey{"add", 2, 78};
  order.needs = {"gpu", "host:lab7"};
  order.retries = 2;
  order.first = 30;
  order.count = 10;
  order.sent_s = 1'800'000'000;
  order.items_from = "_M.ann.x.i";
  order.init = std::string("\0\xff", 2);
  order.items = "0123456789";
  return order;
}

TEST(Protocol, AnOrderArrivesAsItWasSent) {
  const ChunkOrder sent = an_order();
  const auto got = decode_chunk_order(encode(sent));
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(got->job, sent.job);
  EXPECT_EQ(got->index, sent.index);
  EXPECT_EQ(got->epoch, sent.epoch);
  EXPECT_EQ(got->reply, sent.reply);
  EXPECT_EQ(got->lease, sent.lease);
  EXPECT_EQ(got->tries, sent.tries);
  EXPECT_EQ(got->kind, sent.kind);
  EXPECT_EQ(got->map, sent.map);
  EXPECT_EQ(got->fold, sent.fold);
  EXPECT_EQ(got->retries, sent.retries);
  EXPECT_EQ(got->first, sent.first);
  EXPECT_EQ(got->count, sent.count);
  EXPECT_EQ(got->needs, sent.needs);
  EXPECT_EQ(got->sent_s, sent.sent_s);
  EXPECT_EQ(got->items_from, sent.items_from);
  EXPECT_EQ(got->init, sent.init);
  EXPECT_EQ(got->items, sent.items);
}

TEST(Protocol, AResultArrivesAsItWasSent) {
  ChunkResult sent;
  sent.job = "j7";
  sent.index = 3;
  sent.delivery = 2;
  sent.worker = "w1";
  sent.outcome = ChunkOutcome::failed;
  sent.worked = 5ms;
  sent.count = 1;
  sent.output = "x";
  sent.problems = {{31, 3, "std::runtime_error", "no such file"}};
  const auto got = decode_chunk_result(encode(sent));
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(got->worker, "w1");
  EXPECT_EQ(got->outcome, ChunkOutcome::failed);
  EXPECT_EQ(got->worked, 5ms);
  ASSERT_EQ(got->problems.size(), 1);
  EXPECT_EQ(got->problems[0].item, 31);
  EXPECT_EQ(got->problems[0].what, "no such file");
}

TEST(Protocol, AReportArrivesAsItWasSent) {
  WorkerReport sent;
  sent.worker = "w1";
  sent.host = "here";
  sent.pid = 12;
  sent.every = 1s;
  sent.threads = 4;
  sent.credit = 5;
  sent.held = {{"j7", 3, 0, 2s}, {"j7", 4, 1, 0s}};
  sent.tasks = {{"add", 2, 78}};
  sent.queues = {"S_0123456789ab", "w_w1"};
  const auto got = decode_worker_report(encode(sent));
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(got->host, "here");
  EXPECT_EQ(got->every, 1s);
  ASSERT_EQ(got->held.size(), 2);
  EXPECT_EQ(got->held[0].running, 2s);
  EXPECT_EQ(got->held[1].index, 4);
  EXPECT_EQ(got->tasks, sent.tasks);
  EXPECT_EQ(got->queues, sent.queues);
}

// Whoever gets the message publishes there, with rights that its sender may not have. A subject
// that is too long, or none, ends the connection of whoever publishes to it.
const std::vector<std::string> no_replies{"",
                                          "$JS.API.STREAM.DELETE.MR_artel",
                                          "$SYS.REQ.SERVER.PING",
                                          "mr.artel.d.job.0",
                                          "mr.",
                                          "_INBOX.*",
                                          "_INBOX.>",
                                          ">",
                                          "_INBOX..x",
                                          "_INBOX.",
                                          ".x",
                                          "_INBOX.a b",
                                          "_INBOX.a\r\nPUB x 0\r\n",
                                          std::string("_INBOX.\0", 8),
                                          "_INBOX.\xc3\xa4",
                                          "_INBOX." + std::string(65, 'x'),
                                          std::string(5000, 'x')};

TEST(Protocol, AReplyIsASubjectBelowWhichAnswersCome) {
  for (const std::string& subject : no_replies) {
    EXPECT_FALSE(is_reply_subject(subject)) << subject;
    ChunkOrder order = an_order();
    order.reply = subject;
    EXPECT_FALSE(decode_chunk_order(encode(order))) << subject;
    order = an_order();
    order.items_from = subject;
    EXPECT_EQ(decode_chunk_order(encode(order)).has_value(), subject.empty()) << subject;
    EXPECT_FALSE(decode_beacon_request(encode(BeaconRequest{1, subject}))) << subject;
  }
  std::string longest = "_M";
  while (longest.size() + 5 <= kSubjectBytesMax) longest += ".abcd";
  longest += std::string(kSubjectBytesMax - longest.size(), 'x');
  for (const std::string& subject :
       {std::string("_INBOX.x"), std::string("_M.ann.Zy9.r"), std::string("x"), longest}) {
    EXPECT_TRUE(is_reply_subject(subject)) << subject;
    EXPECT_TRUE(decode_beacon_request(encode(BeaconRequest{1, subject}))) << subject;
  }
  EXPECT_FALSE(is_reply_subject(longest + "x"));
}

// They become parts of subjects that masters and `artel cluster status` use.
TEST(Protocol, IdsAreTokensAndQueuesAreQueues) {
  const auto takes = [](const std::string& id) {
    ChunkOrder order = an_order();
    order.job = id;
    ChunkResult result;
    result.job = "j";
    result.worker = id;
    ChunkResult of_job;
    of_job.worker = "w";
    of_job.job = id;
    return int{decode_chunk_order(encode(order)).has_value()} +
           int{decode_chunk_result(encode(result)).has_value()} +
           int{decode_chunk_result(encode(of_job)).has_value()} +
           int{decode_worker_report(encode(WorkerReport{.worker = id})).has_value()} +
           int{decode_worker_report(encode(WorkerReport{.worker = "w", .held = {{.job = id}}}))
                   .has_value()} +
           int{decode_beacon_answer(encode(BeaconAnswer{.worker = id})).has_value()};
  };
  EXPECT_EQ(takes("lab7-12-0000aF_x"), 6);
  for (const char* id : {"", "a.b", "*", ">", "a b", "w1\nw2", "\xc3\xa4", "w\x1b[31m1"})
    EXPECT_EQ(takes(id), 0) << id;
  EXPECT_EQ(takes(std::string(65, 'x')), 0);
  const auto takes_queue = [](const std::string& queue) {
    return int{decode_queue_call(encode(QueueCall{queue, {}})).has_value()} +
           int{decode_worker_report(encode(WorkerReport{.worker = "w", .queues = {queue}}))
                   .has_value()};
  };
  EXPECT_EQ(takes_queue("S_0123456789ab"), 2);
  EXPECT_EQ(takes_queue(""), 1) << "a call for the workers' own queues";
  for (const char* queue : {"no.such", "S_", "S_*", "x", "S_a.b", "MR_x"})
    EXPECT_EQ(takes_queue(queue), 0) << queue;
  for (const char* tag : {"", "a b", "a\nb", "*"}) {
    ChunkOrder order = an_order();
    order.needs = {tag};
    EXPECT_FALSE(decode_chunk_order(encode(order))) << tag;
  }
}

// What its master has signed, byte for byte.
TEST(Protocol, ADeadLetterHoldsItsOrderAsItCame) {
  DeadLetter letter{"crashed", "w1", an_order()};
  letter.order.sealed = "\xc1 any bytes";
  const auto got = decode_dead_letter(encode(letter));
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(got->reason, "crashed");
  EXPECT_EQ(got->worker, "w1");
  EXPECT_EQ(got->order.sealed, letter.order.sealed);
  EXPECT_EQ(got->order.items, "");
}

TEST(Protocol, AnotherVersionIsNamed) {
  std::string bytes = encode(an_order());
  ++bytes[0];
  const auto got = decode_chunk_order(bytes);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::unsupported);
  EXPECT_EQ(got.error().what, "chunk order of protocol version 5; this is version 4");
}

TEST(Protocol, AnotherMessageIsNotAnOrder) {
  const auto got = decode_chunk_order(encode(WorkerReport{}));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::parse);
}

// Any value of msgpack, a few levels deep.
std::string any_value(int depth = 0) {
  std::string bytes;
  const int kind = *rc::gen::inRange(0, depth > 3 ? 5 : 6);
  switch (kind) {
    case 0:
      encode_to(bytes, *rc::gen::arbitrary<std::uint64_t>());
      break;
    case 1:
      encode_to(bytes, *rc::gen::arbitrary<std::int64_t>());
      break;
    case 2:
      encode_to(bytes, *rc::gen::arbitrary<std::string>());
      break;
    case 3:
      encode_to(bytes, msgpack::type::nil_t{});
      break;
    case 4:
      encode_to(bytes, std::vector<char>{'a', '\xff'});
      break;
    default: {
      const int count = *rc::gen::inRange(0, 16);
      bytes += static_cast<char>(0x90 + count);
      for (int i = 0; i < count; ++i) bytes += any_value(depth + 1);
    }
  }
  return bytes;
}

// How many of the decoders take it.
int taken(std::string_view bytes) {
  return int{decode_chunk_order(bytes).has_value()} + int{decode_chunk_result(bytes).has_value()} +
         int{decode_worker_report(bytes).has_value()} +
         int{decode_beacon_request(bytes).has_value()} +
         int{decode_beacon_answer(bytes).has_value()} + int{decode_queue_call(bytes).has_value()} +
         int{decode_dead_letter(bytes).has_value()};
}

std::string versioned(const std::string& bytes) {
  std::string all;
  encode_to(all, kProtocolVersion);
  return all + bytes;
}

// That what follows is not vacuous.
TEST(Protocol, AVersionIsWhatMessagesBeginWith) {
  const std::string call = encode(QueueCall{"S_1", {}});
  EXPECT_EQ(versioned(call.substr(1)), call);
  EXPECT_EQ(taken(call), 1);
}

RC_GTEST_PROP(Protocol, AnyBytesGiveAMessageOrAnError, (const std::string& bytes)) {
  static_cast<void>(taken(bytes));
  static_cast<void>(taken(versioned(bytes)));
}

RC_GTEST_PROP(Protocol, AnyValuesGiveAMessageOrAnError, ()) {
  static_cast<void>(taken(versioned(any_value())));
}

RC_GTEST_PROP(Protocol, ADamagedMessageGivesAMessageOrAnError, ()) {
  DeadLetter letter{"r", "w", an_order()};
  letter.order.sealed = encode(letter.order);
  std::string bytes = encode(letter);
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[at] = *rc::gen::arbitrary<char>();
  bytes.resize(*rc::gen::inRange<std::size_t>(at, bytes.size() + 1));
  static_cast<void>(decode_dead_letter(bytes));
}

// Numbers that would keep a worker busy for ever are none of an order.
TEST(Protocol, NumbersOfAnOrderAreInRange) {
  ChunkOrder order = an_order();
  order.retries = ChunkOrder::kRetriesMax;
  order.tries = QueueOptions::kTriesMax;
  order.lease = QueueOptions::kLeaseMax;
  EXPECT_TRUE(decode_chunk_order(encode(order)));
  const auto refused = [&](auto member, auto value) {
    ChunkOrder wrong = order;
    wrong.*member = value;
    return !decode_chunk_order(encode(wrong)).has_value();
  };
  EXPECT_TRUE(refused(&ChunkOrder::retries, ~std::uint32_t{0}));
  EXPECT_TRUE(refused(&ChunkOrder::retries, ChunkOrder::kRetriesMax + 1));
  EXPECT_TRUE(refused(&ChunkOrder::tries, 0U));
  EXPECT_TRUE(refused(&ChunkOrder::tries, QueueOptions::kTriesMax + 1));
  EXPECT_TRUE(refused(&ChunkOrder::lease, QueueOptions::kLeaseMax + 1ns));
}

// One that is several lines long would be several rows of a table.
TEST(Protocol, ANameHasOneLineAndAReasonMayHaveMore) {
  const auto report =
      decode_worker_report(encode(WorkerReport{.worker = "w1", .host = "a\tb\nc"})).value();
  EXPECT_EQ(report.host, "a?b?c");
  EXPECT_FALSE(
      decode_worker_report(encode(WorkerReport{.worker = "w1", .host = std::string(2000, 'x')})));
  const auto letter = decode_dead_letter(encode(DeadLetter{"no\nidea\x9b", "w", an_order()}));
  EXPECT_EQ(letter.value().reason, "no\nidea?");
}

TEST(Protocol, NamesBringNoControlCharactersAndTimesAreInRange) {
  WorkerReport report{.worker = "w1",
                      .host =
                          "a\xc2\x9b"
                          "b\x7f"};
  const auto read = decode_worker_report(encode(report)).value();
  EXPECT_EQ(read.host, "a?b?");
  report.every = Duration(-1);
  EXPECT_FALSE(decode_worker_report(encode(report)));
  report.every = Duration::max();
  EXPECT_FALSE(decode_worker_report(encode(report)));
}

TEST(Protocol, AQueueCallIsReadBack) {
  const auto read = decode_queue_call(encode(QueueCall{"S_1", {{"f", 2, 3}, {"g", 1, 1}}})).value();
  EXPECT_EQ(read.queue, "S_1");
  ASSERT_EQ(read.tasks.size(), 2);
  EXPECT_EQ(read.tasks[1].name, "g");
}

}  // namespace
}  // namespace artel::cluster
