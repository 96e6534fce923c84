#include "artel/watch/followed_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ios>
#include <istream>
#include <limits>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/read_text_file.hpp"

namespace artel::watch {

/// Whole lines of the file as it is now, then of what comes.
class FollowedFile::Lines : public std::streambuf {
 public:
  Lines(std::filesystem::path path, AtEnd at_end)
      : path_(std::move(path)), at_end_(std::move(at_end)) {}

  // Whether there is a file to read.
  bool open() {
    file_ = file::OpenFile(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    position_ = 0;
    return file_.get() >= 0;
  }

  // Gives what is there, and waits only if that is nothing.
  std::streamsize xsgetn(char* to, std::streamsize size) override {
    if (gptr() == egptr() && !bring_lines()) return 0;
    const auto given = std::min<std::streamsize>(size, egptr() - gptr());
    std::copy_n(gptr(), given, to);
    setg(eback(), gptr() + given, egptr());
    return given;
  }

  int_type underflow() override {
    if (gptr() == egptr() && !bring_lines()) return traits_type::eof();
    return traits_type::to_int_type(*gptr());
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 18U;
  // A line so long is given in parts: who reads it refuses it.
  static constexpr std::size_t kLineBytesMax = std::size_t{1} << 27U;

  bool bring_lines() {
    lines_.clear();
    while (lines_.empty()) {
      const auto grown = read_some();
      if (grown == 0 && !reopen_if_replaced() && !at_end_()) {
        lines_ = std::exchange(begun_, {});  // the last line may have no end
        break;
      }
      if (grown > 0) take_whole_lines();
    }
    setg(lines_.data(), lines_.data(), lines_.data() + lines_.size());
    return !lines_.empty();
  }

  std::size_t read_some() {
    if (file_.get() < 0) return 0;
    const auto before = begun_.size();
    begun_.resize(before + kChunk);
    const auto size = ::read(file_.get(), &begun_[before], kChunk);
    const auto read = size > 0 ? static_cast<std::size_t>(size) : 0;
    begun_.resize(before + read);
    position_ += read;
    return read;
  }

  void take_whole_lines() {
    const auto end = begun_.rfind('\n');
    if (end == std::string::npos && begun_.size() < kLineBytesMax) return;
    const auto size = end == std::string::npos ? begun_.size() : end + 1;
    lines_.assign(begun_, 0, size);
    begun_.erase(0, size);
    const auto first = lines_.substr(0, lines_.find('\n'));
    if (first_line_.empty()) {
      first_line_ = first;
    } else if (at_start_ && first == first_line_) {
      lines_.erase(0, first.size() + 1);
    }
    at_start_ = false;
  }

  // At its end: whether another file has its name now, or it was cut short.
  bool reopen_if_replaced() {
    struct stat named{}, read{};
    if (::stat(path_.c_str(), &named) != 0) return false;
    if (file_.get() >= 0 && ::fstat(file_.get(), &read) == 0 && named.st_ino == read.st_ino &&
        named.st_dev == read.st_dev && static_cast<std::uint64_t>(read.st_size) >= position_)
      return false;
    if (read_some() > 0) {  // written after it was read to its end, and before it was replaced
      take_whole_lines();
      return true;
    }
    if (!open()) return false;
    if (!begun_.empty()) lines_ = std::exchange(begun_, {}) + '\n';  // will have no other end
    at_start_ = true;
    return true;
  }

  const std::filesystem::path path_;
  const AtEnd at_end_;
  file::OpenFile file_;
  std::uint64_t position_ = 0;
  std::string lines_;       // what is given out
  std::string begun_;       // a line whose end is not there yet
  std::string first_line_;  // of the first file
  bool at_start_ = false;   // of a file that came later
};

FollowedFile::FollowedFile(std::unique_ptr<Lines> lines)
    : std::istream(lines.get()), lines_(std::move(lines)) {}

FollowedFile::~FollowedFile() = default;

Result<std::unique_ptr<FollowedFile>> FollowedFile::open(const std::filesystem::path& path,
                                                         AtEnd at_end) {
  auto start = file::open_text_file(path, std::numeric_limits<std::uint64_t>::max());
  if (!start) return artel::fail(start);
  std::array<char, 4> magic{};
  start->read(magic.data(), magic.size());
  const std::string_view bytes(magic.data(), static_cast<std::size_t>(start->gcount()));
  if (bytes.starts_with("\x1F\x8B") || bytes == "\x28\xB5\x2F\xFD") {
    return artel::fail(ErrorCode::unsupported, "a packed file does not grow; --no-follow reads it",
                       path.string());
  }
  auto lines = std::make_unique<Lines>(path, std::move(at_end));
  if (!lines->open()) return artel::fail(ErrorCode::io, "cannot be read", path.string());
  return std::unique_ptr<FollowedFile>(new FollowedFile(std::move(lines)));
}

}  // namespace artel::watch
