#include "artel/command/packed_items.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"

namespace artel::command {
namespace {

constexpr std::size_t kBytesMax = 131'072;
constexpr std::size_t kHeadroom = 2048;  // POSIX: for what a program adds to its environment

std::size_t environment_bytes() {
  std::size_t bytes = sizeof(char*);
  for (char** variable = environ; *variable != nullptr;
       ++variable) {  // NOLINT(*-pointer-arithmetic)
    bytes += std::strlen(*variable) + 1 + sizeof(char*);
  }
  return bytes;
}

}  // namespace

Result<PackLimits> pack_limits(std::size_t fixed, std::size_t asked) {
  const long system = ::sysconf(_SC_ARG_MAX);
  const std::size_t arguments = system > 0 ? static_cast<std::size_t>(system) : kBytesMax;
  const std::size_t taken = environment_bytes() + kHeadroom;
  const std::size_t room = arguments > taken ? arguments - taken : 0;
  const std::size_t most = std::min(room, asked > 0 ? asked : kBytesMax);
  if (most <= fixed) {
    return fail(ErrorCode::too_large,
                fmt::format("the command has {} bytes of the {} that a command line may have here",
                            fixed, most));
  }
  const std::size_t bytes = most - fixed;
  return PackLimits{.items_max = std::size_t{1} << 20U,
                    .bytes_max = bytes,
                    .words_max = std::max<std::size_t>(
                        (room - fixed - std::min(bytes, room - fixed)) / sizeof(char*), 1),
                    .spread = 0};
}

PackedItems::PackedItems(InputItems& items, PackLimits limits,
                         std::function<std::size_t(std::string_view)> bytes_of)
    : items_(items), limits_(limits), bytes_of_(std::move(bytes_of)) {}

// Reads until the job is full or, if it need not be, has an item to give.
Result<Supply> PackedItems::fill() {
  while (!full_ && !ended_ && (limits_.spread > 0 || given_ == job_.size())) {
    std::string item;
    if (next_) {
      item = std::move(*next_);
      next_.reset();
    } else {
      auto supply = items_.next(item);
      if (!supply || *supply == Supply::wait) return supply;
      if (*supply == Supply::end) {
        ended_ = true;
        break;
      }
    }
    const std::size_t bytes = bytes_of_(item);
    full_ = !job_.empty() && (bytes_ + bytes > limits_.bytes_max ||
                              job_.size() >= std::min(limits_.items_max, limits_.words_max));
    if (full_) {
      next_ = std::move(item);
    } else {
      bytes_ += bytes;
      job_.push_back(std::move(item));
    }
  }
  return Supply::item;
}

Result<Supply> PackedItems::next(std::string& item) {
  auto filled = fill();
  if (!filled || *filled != Supply::item) return filled;
  if (ended_ && !full_ && limits_.spread > 0 && per_job_ == 0 && given_ == 0) {
    per_job_ = std::max<std::size_t>((job_.size() + limits_.spread - 1) / limits_.spread, 1);
  }
  const bool cut_here = per_job_ > 0 && given_ > 0 && given_ % per_job_ == 0;
  if (given_ < job_.size() && !cut_here) {
    item = job_[given_++];
    return Supply::item;
  }
  if (given_ < job_.size()) {  // spread: the next job has what follows
    job_.erase(job_.begin(), job_.begin() + static_cast<std::ptrdiff_t>(given_));
    given_ = 0;
    return Supply::cut;
  }
  if (!full_) return Supply::end;
  full_ = false;
  job_.clear();
  given_ = 0;
  bytes_ = 0;
  return Supply::cut;
}

}  // namespace artel::command
