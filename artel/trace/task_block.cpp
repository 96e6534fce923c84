#include "artel/trace/task_block.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/block_head.hpp"
#include "artel/trace/detail/make_block.hpp"
#include "artel/trace/detail/put_varint.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
namespace {

using detail::append;
using detail::make_block;

// Of a task's first byte.
constexpr unsigned kOutcomeBits = 7, kWorkerChanges = 8, kBoundLater = 16, kHasSize = 32,
                   kHasPriority = 64, kCommonWaits = 128;
constexpr std::uint8_t kUsualPriority = 1;

BlockHead head_of(std::span<const std::byte> sealed) {
  return *read_head(sealed);  // NOLINT(bugprone-unchecked-optional-access): is sealed
}

std::uint64_t between(Instant early, Instant late) {
  return static_cast<std::uint64_t>((late - early).count());
}

/// Takes tasks off a payload.
class TaskDecoder {
 public:
  TaskDecoder(std::span<const std::byte> payload, Instant origin) : rest_(payload), last_(origin) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }

  std::optional<TaskRecord> next() {
    TaskRecord task;
    const auto first = take_byte();
    if (!first || (*first & kOutcomeBits) >= kTaskOutcomes) return std::nullopt;
    task.outcome = static_cast<TaskOutcome>(*first & kOutcomeBits);
    if (!take_times(*first, task)) return std::nullopt;
    if ((*first & kHasSize) != 0) {
      const auto size = detail::take_varint(rest_);
      if (!size || *size > static_cast<std::uint64_t>(kForever.count())) return std::nullopt;
      task.size = Duration{static_cast<std::int64_t>(*size)};
    }
    if ((*first & kHasPriority) != 0) {
      const auto priority = take_byte();
      if (!priority) return std::nullopt;
      task.priority = static_cast<std::uint8_t>(*priority);
    }
    if (!take_small(task.queued_worker)) return std::nullopt;
    if ((*first & kCommonWaits) != 0 && !take_small(task.queued_common)) return std::nullopt;
    return task;
  }

 private:
  std::optional<unsigned> take_byte() {
    if (rest_.empty()) return std::nullopt;
    const auto byte = std::to_integer<unsigned>(rest_.front());
    rest_ = rest_.subspan(1);
    return byte;
  }

  bool take_small(std::uint32_t& value) {
    const auto taken = detail::take_varint(rest_);
    if (!taken || *taken > std::numeric_limits<std::uint32_t>::max()) return false;
    value = static_cast<std::uint32_t>(*taken);
    return true;
  }

  bool take_times(unsigned first, TaskRecord& task) {
    const auto since_last = detail::take_varint(rest_);
    std::int64_t submitted = 0;
    if (!since_last || __builtin_add_overflow(last_.time_since_epoch().count(),
                                              detail::unfolded(*since_last), &submitted)) {
      return false;
    }
    if (submitted < -TaskRecord::kTimeMax.count() || submitted > TaskRecord::kTimeMax.count()) {
      return false;
    }
    task.submitted = last_ = Instant{Duration{submitted}};
    if ((first & kWorkerChanges) != 0) {
      std::uint32_t number = 0;
      if (!take_small(number)) return false;
      worker_ = WorkerId{number - 1};
    }
    task.worker = worker_;
    task.bound = task.submitted;
    if ((first & kBoundLater) != 0 && !take_step(task.submitted, task.bound)) return false;
    return take_step(task.bound, task.started) && take_step(task.started, task.finished);
  }

  bool take_step(Instant from, Instant& to) {
    const auto step = detail::take_varint(rest_);
    if (!step || *step > static_cast<std::uint64_t>(TaskRecord::kStepMax.count())) return false;
    to = from + Duration{static_cast<std::int64_t>(*step)};
    return true;
  }

  std::span<const std::byte> rest_;
  Instant last_;
  WorkerId worker_{};
};

}  // namespace

std::vector<std::byte> end_block(Instant end, std::uint64_t dropped) {
  return make_block({.kind = BlockKind::end, .origin = end, .dropped = dropped}, {});
}

std::vector<std::byte> sizes_block(std::span<const SizeChange> sizes) {
  std::vector<std::byte> payload;
  Instant last = sizes.front().at;
  for (const auto& change : sizes) {
    append(payload, detail::folded((change.at - last).count()));
    append(payload, change.workers);
    last = change.at;
  }
  return make_block({.kind = BlockKind::sizes,
                     .count = static_cast<std::uint32_t>(sizes.size()),
                     .origin = sizes.front().at},
                    payload);
}

void TaskBlock::add(const TaskRecord& task) {
  std::byte* const begin = &bytes_[used_];
  std::byte* at = begin + 1;
  auto first = static_cast<unsigned>(task.outcome);
  if (count_++ == 0) origin_ = last_ = task.submitted;
  at = detail::put_varint(at, detail::folded((task.submitted - last_).count()));
  last_ = task.submitted;
  if (task.worker != last_worker_) {
    first |= kWorkerChanges;
    at = detail::put_varint(at, static_cast<std::uint32_t>(index(task.worker) + 1));  // kNobody: 0
    last_worker_ = task.worker;
  }
  if (task.bound != task.submitted) {
    first |= kBoundLater;
    at = detail::put_varint(at, between(task.submitted, task.bound));
  }
  at = detail::put_varint(at, between(task.bound, task.started));
  at = detail::put_varint(at, between(task.started, task.finished));
  if (task.size > Duration::zero()) {
    first |= kHasSize;
    at = detail::put_varint(at, static_cast<std::uint64_t>(task.size.count()));
  }
  if (task.priority != kUsualPriority) {
    first |= kHasPriority;
    *at++ = static_cast<std::byte>(task.priority);
  }
  at = detail::put_varint(at, task.queued_worker);
  if (task.queued_common != 0) {
    first |= kCommonWaits;
    at = detail::put_varint(at, task.queued_common);
  }
  if (task.patience != kForever) {
    const PatienceOf patience{count_ - 1, task.patience.count()};
    std::memcpy(&bytes_[patience_at(patience_count_++)], &patience, sizeof patience);
  }
  *begin = static_cast<std::byte>(first);
  used_ += static_cast<std::size_t>(at - begin);
}

std::span<const std::byte> TaskBlock::sealed(std::uint64_t dropped) {
  const auto payload =
      std::span<const std::byte>(bytes_).subspan(kBlockHeadBytes, used_ - kBlockHeadBytes);
  put_head(std::span(bytes_).first<kBlockHeadBytes>(),
           {.kind = BlockKind::tasks,
            .bytes = static_cast<std::uint32_t>(payload.size()),
            .count = count_,
            .origin = origin_,
            .dropped = dropped,
            .payload_check = check_of(payload)});
  return std::span<const std::byte>(bytes_).first(used_);
}

std::vector<std::byte> TaskBlock::sealed_patience() const {
  if (patience_count_ == 0) return {};
  std::vector<std::byte> payload;
  append(payload, head_of(bytes_).payload_check);
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < patience_count_; ++i) {
    PatienceOf one;
    std::memcpy(&one, &bytes_[patience_at(i)], sizeof one);
    append(payload, one.task - std::exchange(last, one.task));
    append(payload, static_cast<std::uint64_t>(one.patience_ns));
  }
  return make_block({.kind = BlockKind::patience,
                     .count = static_cast<std::uint32_t>(patience_count_),
                     .origin = origin_},
                    payload);
}

void TaskBlock::clear() {
  patience_count_ = 0;
  used_ = kBlockHeadBytes;
  count_ = 0;
  last_worker_ = {};
}

bool read_tasks(std::span<const std::byte> payload, const BlockHead& head,
                std::vector<TaskRecord>& tasks) {
  const std::size_t before = tasks.size();
  TaskDecoder decoder(payload, head.origin);
  while (!decoder.done()) {
    const auto task = decoder.next();
    if (!task) break;
    tasks.push_back(*task);
  }
  if (decoder.done() && tasks.size() - before == head.count) return true;
  tasks.resize(before);
  return false;
}

bool read_sizes(std::span<const std::byte> payload, const BlockHead& head,
                std::vector<SizeChange>& sizes) {
  std::vector<SizeChange> read;
  std::int64_t at = head.origin.time_since_epoch().count();
  while (!payload.empty()) {
    const auto since_last = detail::take_varint(payload);
    const auto workers = detail::take_varint(payload);
    if (!since_last || !workers || *workers > std::numeric_limits<std::uint32_t>::max() ||
        __builtin_add_overflow(at, detail::unfolded(*since_last), &at)) {
      return false;
    }
    if (at < -TaskRecord::kTimeMax.count() || at > TaskRecord::kTimeMax.count()) return false;
    read.push_back({Instant{Duration{at}}, static_cast<std::uint32_t>(*workers)});
  }
  if (read.size() != head.count) return false;
  sizes.insert(sizes.end(), read.begin(), read.end());
  return true;
}

std::vector<std::byte> classes_block(std::span<const std::byte> sealed_tasks,
                                     std::span<const std::uint16_t> classes) {
  std::vector<std::byte> payload;
  const BlockHead head = head_of(sealed_tasks);
  append(payload, head.payload_check);
  for (const auto number : classes) append(payload, number);
  return make_block({.kind = BlockKind::classes,
                     .count = static_cast<std::uint32_t>(classes.size()),
                     .origin = head.origin},
                    payload);
}

bool read_classes(std::span<const std::byte> payload, std::uint32_t check_of_tasks,
                  std::size_t classes, std::span<TaskRecord> tasks) {
  const auto check = detail::take_varint(payload);
  if (!check || *check != check_of_tasks) return false;
  for (auto& task : tasks) {
    const auto number = detail::take_varint(payload);
    if (!number || *number >= classes) return false;
    task.task_class = static_cast<std::uint16_t>(*number);
  }
  return payload.empty();
}

bool read_patience(std::span<const std::byte> payload, const BlockHead& head,
                   std::uint32_t check_of_tasks, std::span<TaskRecord> tasks) {
  const auto check = detail::take_varint(payload);
  if (!check || *check != check_of_tasks) return false;
  std::uint64_t number = 0;
  for (std::uint32_t i = 0; i < head.count; ++i) {
    const auto step = detail::take_varint(payload);
    const auto patience = detail::take_varint(payload);
    if (!step || !patience || *step > tasks.size() ||
        *patience > static_cast<std::uint64_t>(kForever.count())) {
      return false;
    }
    number += *step;
    if (number >= tasks.size()) return false;
    tasks[number].patience = Duration{static_cast<std::int64_t>(*patience)};
  }
  return payload.empty();
}

}  // namespace artel::trace
