#include "artel/command/detail/output_store.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "artel/command/detail/spill_file.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

std::size_t OutputStore::memory_of(const JobOutput& output) {
  constexpr std::size_t kNode = sizeof(JobOutput) + 48;  // of the map, about
  return kNode + output.out.text.capacity() + output.err.text.capacity() +
         output.note.text.capacity();
}

Result<void> OutputStore::put(std::uint64_t turn, JobOutput output) {
  const std::size_t memory = memory_of(output);
  if (turn != next_ && memory_ + memory > memory_max_) {
    return put_on_disk(turn, std::move(output));
  }
  memory_ += memory;
  kept_.emplace(turn, std::move(output));
  return {};
}

Result<void> OutputStore::put_on_disk(std::uint64_t turn, JobOutput output) {
  for (auto* const stream : {&output.out, &output.err, &output.note}) {
    if (stream->text.empty()) continue;
    if (auto put = spill_.append(stream->spilled, stream->text); !put) return put;
  }
  const IndexedOutput indexed{.present = 1,
                              .record = output.record,
                              .out = output.out.spilled,
                              .err = output.err.spilled,
                              .note = output.note.spilled};
  if (auto put = index_.write(turn * sizeof(IndexedOutput), std::as_bytes(std::span(&indexed, 1)));
      !put) {
    return put;
  }
  ++indexed_;
  return {};
}

Result<std::optional<JobOutput>> OutputStore::take() {
  if (const auto kept = kept_.find(next_); kept != kept_.end()) {
    std::optional<JobOutput> output = std::move(kept->second);
    memory_ -= memory_of(*output);
    kept_.erase(kept);
    ++next_;
    next_not_on_disk_ = false;
    return output;
  }
  if (indexed_ == 0 || next_not_on_disk_) return std::nullopt;
  IndexedOutput indexed;
  const auto read =
      index_.read(next_ * sizeof(IndexedOutput), std::as_writable_bytes(std::span(&indexed, 1)));
  if (!read) return fail(read);
  if (indexed.present == 0) {
    next_not_on_disk_ = true;
    return std::nullopt;
  }
  ++next_;
  if (--indexed_ == 0) index_.clear();
  return JobOutput{.out = {.kept = {}, .spilled = indexed.out, .text = {}},
                   .err = {.kept = {}, .spilled = indexed.err, .text = {}},
                   .note = {.kept = {}, .spilled = indexed.note, .text = {}},
                   .record = indexed.record};
}

}  // namespace artel::command::detail
