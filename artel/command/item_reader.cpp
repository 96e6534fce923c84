#include "artel/command/item_reader.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/file/system_failure.hpp"

namespace artel::command {
namespace {

// Room for the longest item, its separator, and one byte to see that it is too long.
constexpr std::size_t kBuffer = ItemReader::kItemMax + 2;

bool readable(int file) {
  pollfd one{.fd = file, .events = POLLIN, .revents = 0};
  return ::poll(&one, 1, 0) > 0;
}

}  // namespace

Result<std::optional<std::string>> wait_for_item(InputItems& items) {
  std::string item;
  while (true) {
    const auto supply = items.next(item);
    if (!supply) return fail(supply);
    if (*supply == Supply::item) return item;
    if (*supply == Supply::end) return std::nullopt;
    pollfd input{.fd = items.file(), .events = POLLIN, .revents = 0};
    ::poll(&input, 1, -1);
  }
}

Result<Supply> ListedItems::next(std::string& item) {
  if (next_ == items_.size()) return Supply::end;
  item = std::move(items_[next_++]);
  return Supply::item;
}

std::optional<double> ListedItems::share() const {
  if (items_.empty()) return std::nullopt;
  return static_cast<double>(next_) / static_cast<double>(items_.size());
}

ItemReader::ItemReader(int file, char separator, std::string name)
    : file_(file), separator_(separator), name_(std::move(name)), buffer_(kBuffer) {
  struct stat status{};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    const off_t start = ::lseek(file, 0, SEEK_CUR);
    if (start >= 0 && status.st_size > start) {
      size_ = static_cast<std::uint64_t>(status.st_size - start);
    }
  }
}

std::optional<double> ItemReader::share() const {
  if (size_ == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(bytes_) / static_cast<double>(size_));
}

Result<Supply> ItemReader::next(std::string& item) {
  while (true) {
    const char* const from = buffer_.data() + searched_;
    if (const void* const found = std::memchr(from, separator_, end_ - searched_)) {
      const auto length =
          static_cast<std::size_t>(static_cast<const char*>(found) - (buffer_.data() + at_));
      return hand_out(item, length, length + 1);
    }
    searched_ = end_;
    if (end_ - at_ > kItemMax) {
      return fail(ErrorCode::too_large,
                  fmt::format("item {} is longer than the {} bytes that an argument can have",
                              items_ + 1, kItemMax),
                  name_);
    }
    if (ended_) {
      if (at_ == end_) return Supply::end;
      return hand_out(item, end_ - at_, end_ - at_);
    }
    const auto filled = fill();
    if (!filled) return fail(filled);
    if (!*filled) return Supply::wait;
  }
}

Result<Supply> ItemReader::hand_out(std::string& item, std::size_t length, std::size_t used) {
  item.assign(buffer_.data() + at_, length);
  ++items_;
  at_ += used;
  bytes_ += used;
  searched_ = at_;
  if (item.find('\0') != std::string::npos) {
    return fail(ErrorCode::invalid,
                fmt::format("item {} has a null byte, which no argument can have (--null: items "
                            "end with null bytes)",
                            items_),
                name_);
  }
  return Supply::item;
}

// False: there is nothing to read yet.
Result<bool> ItemReader::fill() {
  if (at_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    searched_ -= at_;
    at_ = 0;
  }
  if (!readable(file_)) return false;
  const auto count = ::read(file_, buffer_.data() + end_, buffer_.size() - end_);
  if (count < 0) {
    if (errno == EINTR || errno == EAGAIN) return false;
    return file::system_failure("read items", name_);
  }
  end_ += static_cast<std::size_t>(count);
  ended_ = count == 0;
  return true;
}

}  // namespace artel::command
