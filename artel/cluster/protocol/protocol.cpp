#include "artel/cluster/protocol/protocol_version.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <msgpack.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/protocol/printable_text.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

namespace {

// Text that may be any bytes.
template <class Text>
struct Bytes {
  Text& text;
};
template <class Text>
Bytes(Text&) -> Bytes<Text>;

// The last value of an enumeration, for checking.
template <class Enum>
struct Limited {
  Enum& value;
  std::uint8_t last;
};

// A text that may stand in a subject or is one: what is none is no such message.
struct Word {
  std::string& text;
  bool (*is_one)(std::string_view);
};
struct ConstWord {
  const std::string& text;
};
Word word(std::string& text, bool (*is_one)(std::string_view)) { return {text, is_one}; }
ConstWord word(const std::string& text, bool (*)(std::string_view)) { return {text}; }
template <class Text>
auto token(Text& text) {
  return word(text, is_subject_token);
}
template <class Text>
auto reply(Text& text) {
  return word(text, is_reply_subject);
}
bool is_empty_or_token(std::string_view text) { return text.empty() || is_subject_token(text); }
bool is_empty_or_reply(std::string_view text) { return text.empty() || is_reply_subject(text); }
bool is_empty_or_queue(std::string_view text) { return text.empty() || is_queue_name(text); }

// Several of them.
template <class Texts>
struct Words {
  Texts& texts;
  bool (*is_one)(std::string_view);
};
template <class Texts>
Words(Texts&, bool (*)(std::string_view)) -> Words<Texts>;

// What people say, in several lines maybe. Other texts are names.
struct Prose {
  std::string& text;
};
struct ConstProse {
  const std::string& text;
};
Prose prose(std::string& text) { return {text}; }
ConstProse prose(const std::string& text) { return {text}; }

// A number, or a time, within a range.
template <class Number, class Limit>
struct Ranged {
  Number& value;
  Limit least;
  Limit most;
};
template <class Number, class Limit>
Ranged(Number&, Limit, Limit) -> Ranged<Number, Limit>;

// What of each struct travels, in this order.
template <class Self>
auto fields_of(Self& x) {
  using T = std::remove_const_t<Self>;
  if constexpr (std::is_same_v<T, TaskKey>) {
    return std::tie(x.name, x.version, x.signature);
  } else if constexpr (std::is_same_v<T, LeasedChunk>) {
    return std::tuple_cat(std::tuple(token(x.job)), std::tie(x.index, x.epoch, x.running));
  } else if constexpr (std::is_same_v<T, RemoteProblem>) {
    return std::tuple_cat(std::tie(x.item, x.attempts), std::tuple(prose(x.type), prose(x.what)));
  } else if constexpr (std::is_same_v<T, ChunkOrder>) {
    using Kind = std::remove_reference_t<decltype((x.kind))>;
    return std::tuple_cat(
        std::tuple(token(x.job)), std::tie(x.index, x.epoch),
        std::tuple(reply(x.reply), Ranged{x.lease, Duration{}, QueueOptions::kLeaseMax},
                   Ranged{x.tries, 1U, QueueOptions::kTriesMax},
                   Limited<Kind>{x.kind, static_cast<std::uint8_t>(ChunkKind::fold)}),
        std::tie(x.map, x.fold),
        std::tuple(Words{x.needs, is_tag_name}, Ranged{x.retries, 0U, ChunkOrder::kRetriesMax}),
        std::tie(x.first, x.count, x.sent_s),
        std::tuple(word(x.items_from, is_empty_or_reply), Bytes{x.init}, Bytes{x.items}));
  } else if constexpr (std::is_same_v<T, ChunkResult>) {
    using Outcome = std::remove_reference_t<decltype((x.outcome))>;
    return std::tuple_cat(
        std::tuple(token(x.job)), std::tie(x.index, x.epoch, x.delivery),
        std::tuple(token(x.worker),
                   Limited<Outcome>{x.outcome, static_cast<std::uint8_t>(ChunkOutcome::refused)}),
        std::tie(x.worked, x.count), std::tuple(Bytes{x.output}), std::tie(x.problems));
  } else if constexpr (std::is_same_v<T, WorkerReport>) {
    return std::tuple_cat(std::tuple(token(x.worker)),
                          std::tie(x.host, x.pid, x.draining, x.leaving, x.every, x.uptime,
                                   x.threads, x.credit, x.done, x.failed, x.refused, x.returned,
                                   x.forged, x.signed_only, x.busy, x.held, x.tasks),
                          std::tuple(Words{x.queues, is_queue_name}));
  } else if constexpr (std::is_same_v<T, QueueCall>) {
    return std::tuple_cat(std::tuple(word(x.queue, is_empty_or_queue)), std::tie(x.tasks));
  } else if constexpr (std::is_same_v<T, BeaconRequest>) {
    return std::tuple_cat(std::tie(x.number), std::tuple(reply(x.reply)));
  } else if constexpr (std::is_same_v<T, BeaconAnswer>) {
    return std::tuple_cat(std::tuple(token(x.worker)), std::tie(x.number, x.queued, x.done));
  } else {
    static_assert(std::is_same_v<T, DeadLetter>);
    return std::tuple(prose(x.reason), word(x.worker, is_empty_or_token), Bytes{x.order.sealed});
  }
}

struct Sink {
  std::string& text;
  void write(const char* bytes, std::size_t size) { text.append(bytes, size); }
};
using Packer = msgpack::packer<Sink>;

// No time that is told is negative, or so long that sums of it end beyond the last instant.
constexpr Duration kDurationMax = Duration::max() / 4;

constexpr std::size_t kNameBytesMax = 1024;  // of a host, or a task

// Bytes of a message, about, so that room for them is made once.
constexpr std::size_t kRest = 512;
std::size_t bytes_of(const ChunkOrder& order) {
  return kRest + order.init.size() + order.items.size();
}
std::size_t bytes_of(const ChunkResult& result) { return kRest + result.output.size(); }
std::size_t bytes_of(const DeadLetter& letter) { return kRest + letter.order.sealed.size(); }
template <class Message>
std::size_t bytes_of(const Message& /*small*/) {
  return kRest;
}

template <class Self>
void put_fields(Packer& packer, const Self& value);

void put(Packer& packer, const std::string& text) { packer.pack(text); }
void put(Packer& packer, bool value) { packer.pack(value); }
template <class Number>
  requires std::is_integral_v<Number>
void put(Packer& packer, Number value) {
  packer.pack(value);
}
void put(Packer& packer, Duration value) { packer.pack(std::int64_t{value.count()}); }
template <class Text>
void put(Packer& packer, Bytes<Text> bytes) {
  packer.pack_bin(static_cast<std::uint32_t>(bytes.text.size()));
  packer.pack_bin_body(bytes.text.data(), static_cast<std::uint32_t>(bytes.text.size()));
}
template <class Enum>
void put(Packer& packer, Limited<Enum> limited) {
  packer.pack(static_cast<std::uint8_t>(limited.value));
}
void put(Packer& packer, ConstProse prose) { packer.pack(prose.text); }
void put(Packer& packer, ConstWord word) { packer.pack(word.text); }
void put(Packer& packer, Words<const std::vector<std::string>> words) { packer.pack(words.texts); }
template <class Number, class Limit>
void put(Packer& packer, Ranged<Number, Limit> ranged) {
  put(packer, ranged.value);
}
template <class T>
void put(Packer& packer, const std::optional<T>& value) {
  if (value) {
    put_fields(packer, *value);
  } else {
    packer.pack_nil();
  }
}
template <class T>
void put(Packer& packer, const std::vector<T>& values) {
  packer.pack_array(static_cast<std::uint32_t>(values.size()));
  for (const T& value : values) put_fields(packer, value);
}

template <class Self>
void put_fields(Packer& packer, const Self& value) {
  std::apply(
      [&](const auto&... field) {
        packer.pack_array(sizeof...(field));
        (put(packer, field), ...);
      },
      fields_of(value));
}

template <class Self>
void take_fields(const msgpack::object& object, Self& value);

template <class T>
void take(const msgpack::object& object, T& value) {
  object.convert(value);
}
// Names and reasons end up on terminals: what controls these stays outside.
void take(const msgpack::object& object, std::string& name) {
  name = printable_text(object.as<std::string>(), Lines::one);
  if (name.size() > kNameBytesMax) throw msgpack::type_error();
}
void take(const msgpack::object& object, Word word) {
  word.text = object.as<std::string>();
  if (!word.is_one(word.text)) throw msgpack::type_error();
}
void take(const msgpack::object& object, Words<std::vector<std::string>> words) {
  if (object.type != msgpack::type::ARRAY) throw msgpack::type_error();
  words.texts.resize(object.via.array.size);
  for (std::size_t i = 0; i < words.texts.size(); ++i)
    take(object.via.array.ptr[i], Word{words.texts[i], words.is_one});
}
void take(const msgpack::object& object, Prose prose) {
  prose.text = printable_text(object.as<std::string>(), Lines::several);
}
void take(const msgpack::object& object, Duration& value) {
  value = Duration(object.as<std::int64_t>());
  if (value < Duration{} || value > kDurationMax) throw msgpack::type_error();
}
template <class Number, class Limit>
void take(const msgpack::object& object, Ranged<Number, Limit> ranged) {
  take(object, ranged.value);
  if (ranged.value < ranged.least || ranged.value > ranged.most) throw msgpack::type_error();
}
void take(const msgpack::object& object, Bytes<std::string> bytes) {
  if (object.type != msgpack::type::BIN) throw msgpack::type_error();
  bytes.text.assign(object.via.bin.ptr, object.via.bin.size);
}
template <class Enum>
void take(const msgpack::object& object, Limited<Enum> limited) {
  const auto value = object.as<std::uint8_t>();
  if (value > limited.last) throw msgpack::type_error();
  limited.value = static_cast<Enum>(value);
}
template <class T>
void take(const msgpack::object& object, std::optional<T>& value) {
  if (object.is_nil()) {
    value.reset();
  } else {
    take_fields(object, value.emplace());
  }
}
template <class T>
void take(const msgpack::object& object, std::vector<T>& values) {
  if (object.type != msgpack::type::ARRAY) throw msgpack::type_error();
  values.resize(object.via.array.size);
  for (std::size_t i = 0; i < values.size(); ++i) take_fields(object.via.array.ptr[i], values[i]);
}

template <class Self>
void take_fields(const msgpack::object& object, Self& value) {
  auto fields = fields_of(value);
  constexpr std::size_t kFields = std::tuple_size_v<decltype(fields)>;
  if (object.type != msgpack::type::ARRAY || object.via.array.size != kFields) {
    throw msgpack::type_error();
  }
  const msgpack::object* next = object.via.array.ptr;
  std::apply([&](auto&... field) { (take(*next++, field), ...); }, fields);
}

template <class Message>
std::string encode_message(const Message& message) {
  std::string text;
  text.reserve(bytes_of(message));
  Sink sink{text};
  Packer packer(sink);
  packer.pack(kProtocolVersion);
  put_fields(packer, message);
  return text;
}

// Room for the objects of a small message, made at once: msgpack's own are 8 KiB.
constexpr std::size_t kZone = 960;

// An object that is not copied out of the bytes before it is read.
bool refer(msgpack::type::object_type /*type*/, std::size_t /*size*/, void* /*unused*/) {
  return true;
}

template <class Message>
Result<Message> decode_message(std::string_view bytes, std::string_view kind) {
  const std::size_t most = bytes.size();
  const msgpack::unpack_limit limit(most, most, most, most, most, Decoder::kDepthMax);
  try {
    msgpack::zone zone(kZone);
    std::size_t offset = 0;
    const auto version =
        msgpack::unpack(zone, bytes.data(), bytes.size(), offset, refer, nullptr, limit)
            .as<std::uint32_t>();
    if (version != kProtocolVersion) {
      return fail(ErrorCode::unsupported,
                  fmt::format("{} of protocol version {}; this is version {}", kind, version,
                              kProtocolVersion));
    }
    Message message;
    take_fields(msgpack::unpack(zone, bytes.data(), bytes.size(), offset, refer, nullptr, limit),
                message);
    if (offset != most) return fail(ErrorCode::parse, fmt::format("{}: too long", kind));
    return message;
  } catch (const std::exception& error) {
    return fail(ErrorCode::parse, fmt::format("not a {}: {}", kind, error.what()));
  }
}

}  // namespace

std::string encode(const ChunkOrder& order) { return encode_message(order); }
std::string encode(const ChunkResult& result) { return encode_message(result); }
std::string encode(const WorkerReport& report) { return encode_message(report); }
std::string encode(const BeaconRequest& beacon) { return encode_message(beacon); }
std::string encode(const BeaconAnswer& answer) { return encode_message(answer); }
std::string encode(const QueueCall& call) { return encode_message(call); }
std::string encode(const DeadLetter& letter) { return encode_message(letter); }

Result<ChunkOrder> decode_chunk_order(std::string_view bytes) {
  return decode_message<ChunkOrder>(bytes, "chunk order");
}
Result<ChunkResult> decode_chunk_result(std::string_view bytes) {
  return decode_message<ChunkResult>(bytes, "chunk result");
}
Result<WorkerReport> decode_worker_report(std::string_view bytes) {
  return decode_message<WorkerReport>(bytes, "worker report");
}
Result<BeaconRequest> decode_beacon_request(std::string_view bytes) {
  return decode_message<BeaconRequest>(bytes, "beacon");
}
Result<BeaconAnswer> decode_beacon_answer(std::string_view bytes) {
  return decode_message<BeaconAnswer>(bytes, "beacon answer");
}
Result<QueueCall> decode_queue_call(std::string_view bytes) {
  return decode_message<QueueCall>(bytes, "queue call");
}
Result<DeadLetter> decode_dead_letter(std::string_view bytes) {
  return decode_message<DeadLetter>(bytes, "dead letter");
}

}  // namespace artel::cluster
