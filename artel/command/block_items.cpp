#include "artel/command/block_items.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"
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
    : file_(file), limits_(limits), name_(std::move(name)) {
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
  if (limits_.records == 0) {
    if (buffer_.size() < limits_.bytes) return 0;
    const auto last = buffer_.rfind(limits_.separator, limits_.bytes - 1);
    if (last != std::string::npos) return last + 1;
    const auto first = buffer_.find(limits_.separator, std::max(searched_, limits_.bytes));
    searched_ = buffer_.size();
    return first == std::string::npos ? 0 : first + 1;
  }
  while (true) {
    const auto at = buffer_.find(limits_.separator, searched_);
    searched_ = at == std::string::npos ? buffer_.size() : at + 1;
    if (at == std::string::npos) return 0;
    if (++records_ == limits_.records) return searched_;
  }
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
