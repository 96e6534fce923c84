#include "artel/cluster/protocol/subjects.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/protocol/protocol_version.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::cluster {
namespace {

constexpr std::size_t kTokenBytesMax = 64;
constexpr std::size_t kQueuePrefix = 2;  // "S_", "w_"

bool is_token_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

}  // namespace

bool is_subject_token(std::string_view text) {
  return !text.empty() && text.size() <= kTokenBytesMax && std::ranges::all_of(text, is_token_char);
}

bool is_reply_subject(std::string_view text) {
  if (text.size() > kSubjectBytesMax || text.starts_with("mr.")) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_subject_token(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_queue_name(std::string_view text) {
  return (text.starts_with("S_") || text.starts_with("w_")) &&
         is_subject_token(text.substr(kQueuePrefix));
}

Subjects::Subjects(std::string_view pool) : pool_(pool), prefix_(fmt::format("mr.{}.", pool)) {}

std::string Subjects::stream() const { return "MR_" + pool_; }
std::string Subjects::tasks() const { return prefix_ + "t.>"; }
std::string Subjects::shared(std::string_view queue) const {
  return fmt::format("{}t.s.{}.>", prefix_, queue);
}
std::string Subjects::task(std::string_view queue, const ChunkAddress& chunk) const {
  return fmt::format("{}t.s.{}.{}.{}", prefix_, queue, chunk.job, chunk.index);
}

// 48 bits of FNV-1a: names of people's tasks are not always tokens of subjects. Whoever speaks
// another version of the protocol has other queues.
std::string Subjects::queue_of(const std::optional<TaskKey>& map,
                               const std::optional<TaskKey>& fold,
                               const std::vector<std::string>& tags) {
  std::uint64_t hash = 0xcbf29ce484222325U ^ kProtocolVersion;
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  };
  for (const std::optional<TaskKey>* task : {&map, &fold}) {
    if (*task) add(fmt::format("{}/{}/{}", (*task)->name, (*task)->version, (*task)->signature));
    add(";");
  }
  std::vector<std::string> sorted = tags;
  std::ranges::sort(sorted);
  for (const std::string& tag : sorted) add(tag + ";");
  return fmt::format("S_{:012x}", hash >> 16U);
}

std::string Subjects::own(std::string_view worker) const {
  return fmt::format("{}t.w.{}.>", prefix_, worker);
}
std::string Subjects::own_task(std::string_view worker, const ChunkAddress& chunk) const {
  return fmt::format("{}t.w.{}.{}.{}", prefix_, worker, chunk.job, chunk.index);
}
std::string Subjects::beacon(std::string_view worker) const {
  return fmt::format("{}t.w.{}.beacon", prefix_, worker);
}
std::string Subjects::own_consumer(std::string_view worker) { return fmt::format("w_{}", worker); }

std::string Subjects::heartbeat(std::string_view worker) const {
  return fmt::format("{}hb.{}", prefix_, worker);
}
std::string Subjects::heartbeats() const { return prefix_ + "hb.*"; }
std::string Subjects::discovery() const { return prefix_ + "who"; }

std::string Subjects::dead_stream() const { return stream() + "_D"; }
std::string Subjects::dead_letters() const { return prefix_ + "d.>"; }
std::string Subjects::dead_letter(const ChunkAddress& chunk) const {
  return fmt::format("{}d.{}.{}", prefix_, chunk.job, chunk.index);
}
std::string Subjects::given_up() const {
  return fmt::format("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{}.*", stream());
}

std::optional<ChunkAddress> Subjects::chunk_of(std::string_view subject) const {
  std::string_view rest = subject;
  if (const std::string tasks = prefix_ + "t.s."; subject.starts_with(tasks)) {
    rest.remove_prefix(tasks.size());
    rest.remove_prefix(std::min(rest.size(), rest.find('.') + 1));  // the queue
  } else if (const std::string dead = prefix_ + "d."; subject.starts_with(dead)) {
    rest.remove_prefix(dead.size());
  } else {
    return std::nullopt;
  }
  const std::size_t dot = rest.find('.');
  if (dot == std::string_view::npos || !is_subject_token(rest.substr(0, dot))) return std::nullopt;
  const auto index = parse_number<std::uint64_t>(rest.substr(dot + 1));
  if (!index) return std::nullopt;
  return ChunkAddress{std::string(rest.substr(0, dot)), *index};
}

}  // namespace artel::cluster
