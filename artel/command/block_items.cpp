#include "artel/command/block_items.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command {
namespace {

// Asked for at once: what a pipe holds.
constexpr std::size_t kPiece = std::size_t{1} << 16U;

tl::unexpected<Error> failed(std::string_view what, const std::string& name) {
  const std::error_code error(errno, std::generic_category());
  return fail(ErrorCode::io, fmt::format("{}: {}", what, error.message()), name);
}

}  // namespace

BlockItems::BlockItems(int file, BlockLimits limits, std::string name)
    : file_(file),
      limits_(std::move(limits)),
      border_(limits_.record_end + limits_.record_start),
      least_(limits_.record_end.empty() ? 1 : 0),
      name_(std::move(name)) {
  ARTEL_REQUIRE(!border_.empty(), "records can be told apart");
  struct stat status{};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return;
  const off_t start = ::lseek(file, 0, SEEK_CUR);
  if (start >= 0 && status.st_size > start)
    size_ = static_cast<std::uint64_t>(status.st_size - start);
}

std::optional<double> BlockItems::share() const {
  if (size_ == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(bytes_given_) / static_cast<double>(size_));
}

// Of what is read; 0: it does not have a block yet.
std::size_t BlockItems::end_of_block() {
  const auto end = limits_.record_end.size();
  searched_ = std::max(searched_, least_);
  if (limits_.records == 0) {
    if (buffer_.size() < limits_.bytes) return 0;
    const auto last =
        limits_.bytes < end ? std::string::npos : buffer_.rfind(border_, limits_.bytes - end);
    if (last != std::string::npos && last >= least_) return last + end;
    return next_border();
  }
  while (const auto found = next_border()) {
    searched_ = found + least_;
    if (++records_ == limits_.records) return found;
  }
  return 0;
}

// Where the record before it ends; 0: it is not there yet.
std::size_t BlockItems::next_border() {
  const auto at = buffer_.find(border_, searched_);
  if (at != std::string::npos) return at + limits_.record_end.size();
  // It may have begun.
  if (buffer_.size() >= border_.size()) {
    searched_ = std::max(searched_, buffer_.size() - border_.size() + 1);
  }
  return 0;
}

// False: there is nothing to read yet.
Result<bool> BlockItems::read() {
  pollfd input{.fd = file_, .events = POLLIN, .revents = 0};
  if (::poll(&input, 1, 0) <= 0) return false;
  const auto before = buffer_.size();
  buffer_.resize(before + kPiece);
  const auto count = ::read(file_, buffer_.data() + before, kPiece);
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count < 0) {
    if (errno == EINTR || errno == EAGAIN) return false;
    return failed("cannot read", name_);
  }
  ended_ = count == 0;
  return true;
}

Result<Supply> BlockItems::next(std::string& item) {
  while (true) {
    auto bytes = end_of_block();
    if (bytes == 0 && ended_) {
      if (buffer_.empty()) return Supply::end;
      bytes = buffer_.size();
    }
    if (bytes > 0) {
      if (auto kept = keep(bytes, item); !kept) return fail(kept);
      return Supply::item;
    }
    if (buffer_.size() > kRecordMax) {
      return fail(ErrorCode::too_large, fmt::format("a record is longer than {} bytes", kRecordMax),
                  name_);
    }
    const auto more = read();
    if (!more) return fail(more);
    if (!*more) return Supply::wait;
  }
}

Result<void> BlockItems::keep(std::size_t bytes, std::string& item) {
  file::OpenFile block(::memfd_create("artel-block", MFD_CLOEXEC));
  if (block.get() < 0) return failed("cannot keep a block", name_);
  for (std::string_view rest(buffer_.data(), bytes); !rest.empty();) {
    const auto count = ::write(block.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failed("cannot keep a block", name_);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  item = fmt::format("/proc/{}/fd/{}", ::getpid(), block.get());
  kept_.emplace(++given_, std::move(block));
  bytes_given_ += bytes;
  buffer_.erase(0, bytes);
  searched_ = 0;
  records_ = 0;
  return {};
}

}  // namespace artel::command
