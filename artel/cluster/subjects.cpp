#include "artel/cluster/subjects.hpp"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "artel/core/parse_number.hpp"

namespace artel::cluster {

Subjects::Subjects(std::string_view pool) : pool_(pool), prefix_(fmt::format("mr.{}.", pool)) {}

std::string Subjects::stream() const { return "MR_" + pool_; }
std::string Subjects::tasks() const { return prefix_ + "t.>"; }
std::string Subjects::shared() const { return prefix_ + "t.s.>"; }
std::string Subjects::job(std::string_view job) const {
  return fmt::format("{}t.s.{}.>", prefix_, job);
}
std::string Subjects::task(const ChunkAddress& chunk) const {
  return fmt::format("{}t.s.{}.{}", prefix_, chunk.job, chunk.index);
}

std::string Subjects::own(std::string_view worker) const {
  return fmt::format("{}t.w.{}.>", prefix_, worker);
}
std::string Subjects::own_job(std::string_view worker, std::string_view job) const {
  return fmt::format("{}t.w.{}.{}.>", prefix_, worker, job);
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
  const std::array kinds{prefix_ + "t.s.", prefix_ + "d."};
  for (const std::string& start : kinds) {
    if (!subject.starts_with(start)) continue;
    const std::string_view rest = subject.substr(start.size());
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos || dot == 0) return std::nullopt;
    const auto index = parse_number<std::uint64_t>(rest.substr(dot + 1));
    if (!index) return std::nullopt;
    return ChunkAddress{std::string(rest.substr(0, dot)), *index};
  }
  return std::nullopt;
}

}  // namespace artel::cluster
