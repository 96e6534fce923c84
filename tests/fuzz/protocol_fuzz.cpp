// Any bytes are a message of the cluster's protocol or one error; what is read can be written, and
// is read back as the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/protocol/printable_text.hpp"
#include "artel/cluster/protocol/protocol_version.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace {

using namespace artel;
using namespace artel::cluster;

template <class Message>
void again(const Result<Message>& message, Result<Message> (*decode)(std::string_view)) {
  if (!message) return;
  const std::string bytes = encode(*message);
  const auto read = decode(bytes);
  ARTEL_REQUIRE(read.has_value(), "what was read can be read again");
  ARTEL_REQUIRE(encode(*read) == bytes, "and is the same");
}

void is_name(const std::string& name) {
  ARTEL_REQUIRE(printable_text(name, Lines::one) == name, "a name controls nothing");
}

void is_bounded(const ChunkOrder& order) {
  ARTEL_REQUIRE(is_subject_token(order.job), "a job is a token");
  ARTEL_REQUIRE(is_reply_subject(order.reply), "results go where results may");
  ARTEL_REQUIRE(order.items_from.empty() || is_reply_subject(order.items_from), "items, too");
  ARTEL_REQUIRE(order.retries <= ChunkOrder::kRetriesMax, "retries end", order.retries);
  ARTEL_REQUIRE(order.tries >= 1 && order.tries <= QueueOptions::kTriesMax, "tries end",
                order.tries);
}

void read_all(std::string_view bytes) {
  const auto order = decode_chunk_order(bytes);
  if (order) is_bounded(*order);
  again(order, decode_chunk_order);
  const auto result = decode_chunk_result(bytes);
  if (result) ARTEL_REQUIRE(is_subject_token(result->worker), "a worker is a token");
  again(result, decode_chunk_result);
  const auto report = decode_worker_report(bytes);
  if (report) {
    ARTEL_REQUIRE(is_subject_token(report->worker), "a worker is a token");
    for (const auto& queue : report->queues) ARTEL_REQUIRE(is_queue_name(queue), "a queue is one");
    is_name(report->host);
    for (const auto& task : report->tasks) is_name(task.name);
  }
  again(report, decode_worker_report);
  again(decode_beacon_request(bytes), decode_beacon_request);
  again(decode_beacon_answer(bytes), decode_beacon_answer);
  again(decode_queue_call(bytes), decode_queue_call);
  const auto letter = decode_dead_letter(bytes);
  again(letter, decode_dead_letter);
}

}  // namespace

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  read_all(input);
  std::string versioned;
  encode_to(versioned, kProtocolVersion);
  read_all(versioned.append(input));
  static_cast<void>(Subjects("p").chunk_of(input));
  return 0;
}
