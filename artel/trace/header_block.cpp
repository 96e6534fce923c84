#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/detail/make_block.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
namespace {

using detail::append;
using detail::make_block;
using detail::take_text;

// What has a place of its own in the TraceHeader, among the settings of the file.
constexpr std::string_view kWall = "wall_ns";
constexpr std::string_view kLoop = "loop";
constexpr std::string_view kClass = "class.";  // and its number

std::string class_setting(std::size_t number) {
  return std::string(kClass) + std::to_string(number);
}

// Names may come from anywhere: they are made printable again.
void take_classes(TraceHeader& header) {
  for (std::size_t i = 0; i < kTaskClassesMax; ++i) {
    const auto found = header.settings.find(class_setting(i));
    if (found == header.settings.end()) return;
    header.classes.push_back(class_name(found->second));
    header.settings.erase(found);
  }
}

}  // namespace

std::vector<std::byte> header_block(const TraceHeader& header) {
  auto settings = header.settings;
  settings.insert_or_assign(std::string(kLoop), std::string(name(header.loop)));
  if (header.wall) {
    settings.insert_or_assign(std::string(kWall), std::to_string(header.wall->count()));
  }
  for (std::size_t i = 0; i < header.classes.size(); ++i)
    settings.insert_or_assign(class_setting(i), header.classes[i]);
  std::vector<std::byte> payload;
  for (const auto& [setting, value] : settings) {
    append(payload, setting);
    append(payload, value);
  }
  return make_block({.kind = BlockKind::header,
                     .count = static_cast<std::uint32_t>(settings.size()),
                     .origin = header.started},
                    payload);
}

Result<TraceHeader> read_header_payload(std::span<const std::byte> payload, const BlockHead& head) {
  TraceHeader header;
  header.started = head.origin;
  while (!payload.empty()) {
    auto setting = take_text(payload);
    auto value = take_text(payload);
    if (!setting || !value) return fail(ErrorCode::parse, "a setting is cut off");
    header.settings.insert_or_assign(std::move(*setting), std::move(*value));
  }
  if (header.settings.size() != head.count) return fail(ErrorCode::parse, "settings are missing");
  if (const auto loop = find_loop(header.setting(kLoop))) header.loop = *loop;
  const auto wall = header.setting(kWall);
  std::int64_t nanoseconds = 0;
  const auto [stopped, error] =
      std::from_chars(wall.data(), wall.data() + wall.size(), nanoseconds);
  if (error == std::errc{} && stopped == wall.data() + wall.size()) {
    header.wall = Duration{nanoseconds};
  }
  take_classes(header);
  header.settings.erase(std::string(kLoop));
  header.settings.erase(std::string(kWall));
  return header;
}

}  // namespace artel::trace
