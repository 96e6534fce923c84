#include "artel/trace/read_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
namespace {

/// Of two changes at the same instant the later one counts: they stay in the order of the file.
/// (Not by stable_sort, whose buffer is deprecated in libstdc++ itself.)
void sort_by_time(std::vector<SizeChange>& sizes) {
  if (std::ranges::is_sorted(sizes, {}, &SizeChange::at)) return;
  std::vector<std::pair<Instant, std::size_t>> order;
  for (const auto& change : sizes) order.emplace_back(change.at, order.size());
  std::ranges::sort(order);
  std::vector<SizeChange> sorted;
  for (const auto& [at, index] : order) sorted.push_back(sizes[index]);
  sizes = std::move(sorted);
}

/// Goes through the blocks of one file.
class BlockReader {
 public:
  BlockReader(std::span<const std::byte> bytes, const std::string& name, const TraceLimits& limits)
      : bytes_(bytes), name_(name), limits_(limits) {}

  Result<TaskTrace> read() {
    if (const auto opened = check_prologue(); !opened) return fail(opened);
    if (const auto header = read_header(); !header) return fail(header);
    trace_.complete = false;
    while (at_ < bytes_.size()) {
      if (auto problem = read_block()) {
        if (auto skipped = skip_damage(std::move(*problem)); !skipped) return fail(skipped);
      }
      if (trace_.tasks.size() > limits_.tasks) {
        return fail(ErrorCode::too_large, fmt::format("more than {} tasks", limits_.tasks), name_);
      }
    }
    sort_by_submission(trace_.tasks);
    sort_by_time(trace_.sizes);
    return std::move(trace_);
  }

 private:
  [[nodiscard]] std::string where(std::size_t at) const {
    return fmt::format("{}:byte {}", name_, at);
  }

  Result<void> check_prologue() {
    if (!is_trace(bytes_)) {
      return fail(ErrorCode::parse, "this is not a trace recorded by artel", where(0));
    }
    if (bytes_.size() < kPrologueBytes) {
      return fail(ErrorCode::parse, "the file is cut off in its first bytes", where(bytes_.size()));
    }
    const auto expected = trace_prologue();
    if (!std::equal(expected.begin(), expected.end(), bytes_.begin())) {
      return fail(ErrorCode::unsupported,
                  fmt::format("found another version of the format; this program reads version {}",
                              kTraceVersion),
                  where(kTraceMagic.size()));
    }
    at_ = kPrologueBytes;
    return {};
  }

  // The payload of the block here, if all of it is there and as it was written.
  std::optional<std::span<const std::byte>> payload_of(const BlockHead& head) const {
    const auto rest = bytes_.subspan(at_ + kBlockHeadBytes);
    if (rest.size() < head.bytes) return std::nullopt;
    const auto payload = rest.first(head.bytes);
    if (check_of(payload) != head.payload_check) return std::nullopt;
    return payload;
  }

  Result<void> read_header() {
    const auto head = read_head(bytes_.subspan(at_));
    const auto payload = head ? payload_of(*head) : std::nullopt;
    if (!payload || head->kind != BlockKind::header) {
      return fail(ErrorCode::parse, "the header of the trace is broken or cut off", where(at_));
    }
    auto header = read_header_payload(*payload, *head);
    if (!header) return fail(header.error().code, header.error().what, where(at_));
    trace_.header = std::move(*header);
    at_ += kBlockHeadBytes + head->bytes;
    return {};
  }

  // What is wrong with the block here; nothing: it was read.
  std::optional<std::string> read_block() {
    const auto head = read_head(bytes_.subspan(at_));
    if (!head) {
      return bytes_.size() - at_ < kBlockHeadBytes ? "the file is cut off here"
                                                   : "no block starts here";
    }
    const auto payload = payload_of(*head);
    if (!payload) {
      return bytes_.size() - at_ - kBlockHeadBytes < head->bytes
                 ? fmt::format("the file is cut off in a block of {} tasks", head->count)
                 : fmt::format("a block of {} tasks is broken", head->count);
    }
    trace_.dropped = std::max(trace_.dropped, head->dropped);
    switch (head->kind) {
      case BlockKind::tasks:
        tasks_before_ = trace_.tasks.size();
        tasks_check_ = head->payload_check;
        if (!read_tasks(*payload, *head, trace_.tasks)) {
          return fmt::format("a block of {} tasks does not hold what it says", head->count);
        }
        break;
      case BlockKind::patience:
        // Of tasks that could not be read nothing is missed any more.
        static_cast<void>(read_patience(*payload, *head, tasks_check_,
                                        std::span(trace_.tasks).subspan(tasks_before_)));
        break;
      case BlockKind::classes:
        static_cast<void>(read_classes(*payload, tasks_check_, trace_.header.classes.size(),
                                       std::span(trace_.tasks).subspan(tasks_before_)));
        break;
      case BlockKind::sizes:
        if (!read_sizes(*payload, *head, trace_.sizes))
          return "a block of sizes does not hold what it says";
        break;
      case BlockKind::end:
        trace_.complete = true;
        break;
      default:  // of a later version, or a second header: nothing that we need
        break;
    }
    at_ += kBlockHeadBytes + payload->size();
    return std::nullopt;
  }

  // Goes to where the next block starts.
  Result<void> skip_damage(std::string problem) {
    if (trace_.damage.size() >= limits_.damages) {
      return fail(ErrorCode::parse, fmt::format("more than {} broken places", limits_.damages),
                  where(at_));
    }
    const std::size_t from = at_;
    for (++at_; at_ < bytes_.size(); ++at_) {
      if (read_head(bytes_.subspan(at_))) break;
    }
    trace_.damage.push_back({ErrorCode::parse,
                             fmt::format("{}; {} bytes skipped{}", problem, at_ - from,
                                         at_ < bytes_.size() ? "" : ", up to the end"),
                             where(from)});
    return {};
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
  const TraceLimits& limits_;
  std::size_t at_ = 0;
  std::size_t tasks_before_ = 0;   // the last block of tasks …
  std::uint32_t tasks_check_ = 0;  // … and the check of its payload
  TaskTrace trace_;
};

}  // namespace

bool is_trace(std::span<const std::byte> bytes) {
  return bytes.size() >= kTraceMagic.size() &&
         std::memcmp(bytes.data(), kTraceMagic.data(), kTraceMagic.size()) == 0;
}

Result<TaskTrace> read_trace(std::span<const std::byte> bytes, const std::string& name,
                             const TraceLimits& limits) {
  if (bytes.size() > limits.bytes) {
    return fail(ErrorCode::too_large,
                fmt::format("has {} bytes; at most {} are read", bytes.size(), limits.bytes), name);
  }
  return BlockReader(bytes, name, limits).read();
}

}  // namespace artel::trace
