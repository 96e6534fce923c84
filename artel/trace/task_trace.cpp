#include "artel/trace/task_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::trace {
namespace {

constexpr std::array<std::string_view, kTaskOutcomes> kOutcomeNames{"done", "failed", "cancelled",
                                                                    "expired", "rejected"};
constexpr std::array<std::string_view, 3> kLoopNames{"unknown", "open", "closed"};

template <class Enum, std::size_t kCount>
std::optional<Enum> find(const std::array<std::string_view, kCount>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

// How many bytes the UTF-8 character at the start of `text` has that can be printed; 0: none does.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 && first < 0xF5   ? 4
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xC2 && first < 0xE0 ? 2
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  // Too long a form, halves of pairs, beyond Unicode; controls, and what turns text around.
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool bad = code < kLeast[length] || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF ||
                   code < 0xA0 || (code >= 0x200B && code < 0x2010) ||
                   (code >= 0x2028 && code < 0x2030) || (code >= 0x2066 && code < 0x2070) ||
                   code == 0xFEFF;
  return bad ? 0 : length;
}

}  // namespace

std::string class_name(std::string_view text) {
  constexpr std::size_t kBytesMax = 80;
  std::string name;
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  while (!text.empty()) {
    const auto length = printable_length(text);
    const auto piece = length > 0 ? std::string(text.substr(0, length))
                                  : fmt::format("\\x{:02X}", static_cast<unsigned char>(text[0]));
    if (name.size() + piece.size() > kBytesMax) return name + "…";
    name += piece;
    text.remove_prefix(length > 0 ? length : 1);
  }
  return name;
}

std::string_view name(TaskOutcome outcome) {
  return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

std::optional<TaskOutcome> find_task_outcome(std::string_view name) {
  return find<TaskOutcome>(kOutcomeNames, name);
}

bool plausible(const TaskRecord& task) {
  const Instant zero{};
  if (task.submitted < zero - TaskRecord::kTimeMax ||
      task.submitted > zero + TaskRecord::kTimeMax) {
    return false;
  }
  Instant before = task.submitted;
  for (const Instant time : {task.bound, task.started, task.finished}) {
    if (time < before || time - before > TaskRecord::kStepMax) return false;
    before = time;
  }
  return task.size >= Duration::zero() && task.patience >= Duration::zero();
}

std::string_view name(Loop loop) { return kLoopNames[static_cast<std::size_t>(loop)]; }

std::optional<Loop> find_loop(std::string_view name) { return find<Loop>(kLoopNames, name); }

std::string_view TraceHeader::setting(std::string_view name) const {
  const auto found = settings.find(name);
  return found == settings.end() ? std::string_view{} : found->second;
}

void sort_by_submission(std::vector<TaskRecord>& tasks) {
  std::sort(tasks.begin(), tasks.end(), [](const TaskRecord& a, const TaskRecord& b) {
    return std::tie(a.submitted, a.started, a.finished, a.worker, a.task_class) <
           std::tie(b.submitted, b.started, b.finished, b.worker, b.task_class);
  });
}

}  // namespace artel::trace
