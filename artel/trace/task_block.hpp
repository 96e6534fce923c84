#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/block_head.hpp"  // IWYU pragma: export
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// The whole block of kind header.
[[nodiscard]] std::vector<std::byte> header_block(const TraceHeader& header);
/// The whole block of kind end.
[[nodiscard]] std::vector<std::byte> end_block(Instant end, std::uint64_t dropped);
/// The whole block of kind sizes. Requires: one change at least.
[[nodiscard]] std::vector<std::byte> sizes_block(std::span<const SizeChange> sizes);
/// The whole block of kind classes, which goes behind the sealed block of tasks that have them; one
/// class per task.
[[nodiscard]] std::vector<std::byte> classes_block(std::span<const std::byte> sealed_tasks,
                                                   std::span<const std::uint16_t> classes);
/// Errors: what is wrong, without a place.
[[nodiscard]] Result<TraceHeader> read_header_payload(std::span<const std::byte> payload,
                                                      const BlockHead& head);

/// Tasks in the making of a block: each is written as the difference to the one before.
///
/// Cost:    about 15 ns and 10 to 15 bytes per task.
/// Threads: one at a time.
class TaskBlock {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 14U;

  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// Whether no further task may fit.
  [[nodiscard]] bool full() const {
    return used_ + patience_count_ * sizeof(PatienceOf) > kBytes - kTaskBytesMax;
  }
  /// Tasks in it.
  [[nodiscard]] std::uint32_t count() const { return count_; }

  /// Requires: not full; times that ascend, see TaskRecord.
  void add(const TaskRecord& task);

  /// The whole block as it goes into the file; valid until the next add() or clear().
  [[nodiscard]] std::span<const std::byte> sealed(std::uint64_t dropped);
  /// The block that goes into the file after it: deadlines of those of its tasks that have one;
  /// empty: none has. Requires: it is sealed. Allocates.
  [[nodiscard]] std::vector<std::byte> sealed_patience() const;
  void clear();

 private:
  // From the end of `bytes_` on, backwards: seldom more than a few.
  struct PatienceOf {
    std::uint64_t task = 0;  // the how manieth of the block
    std::int64_t patience_ns = 0;
  };
  static constexpr std::size_t kTaskBytesMax = 80 + sizeof(PatienceOf);

  [[nodiscard]] std::size_t patience_at(std::size_t number) const {
    return kBytes - (number + 1) * sizeof(PatienceOf);
  }

  std::size_t used_ = kBlockHeadBytes;
  std::uint32_t count_ = 0;
  std::size_t patience_count_ = 0;
  Instant origin_{};
  Instant last_{};
  WorkerId last_worker_{};
  std::array<std::byte, kBytes> bytes_;  // NOLINT(cppcoreguidelines-pro-type-member-init)
};

/// Appends the tasks of a payload; false when it is not one, then nothing is appended.
[[nodiscard]] bool read_tasks(std::span<const std::byte> payload, const BlockHead& head,
                              std::vector<TaskRecord>& tasks);

/// The same for the changes of size in a payload.
[[nodiscard]] bool read_sizes(std::span<const std::byte> payload, const BlockHead& head,
                              std::vector<SizeChange>& sizes);

/// Gives `tasks`, which a block with that check of its payload held, their classes; false when the
/// payload is none of them, or a class is not among the `classes` first ones.
[[nodiscard]] bool read_classes(std::span<const std::byte> payload, std::uint32_t check_of_tasks,
                                std::size_t classes, std::span<TaskRecord> tasks);

/// Gives `tasks`, which a block with that check of its payload held, their deadlines; false when
/// the payload is none of them.
[[nodiscard]] bool read_patience(std::span<const std::byte> payload, const BlockHead& head,
                                 std::uint32_t check_of_tasks, std::span<TaskRecord> tasks);

}  // namespace artel::trace
