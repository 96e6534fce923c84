#include "artel/command/detail/capture.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command::detail {

Capture::~Capture() { close(); }

void Capture::close() {
  listen(false);
  file_.close();
}

tl::expected<file::OpenFile, std::error_code> Capture::open(EventSet& events, std::uint64_t key) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return tl::unexpected(std::error_code(errno, std::generic_category()));
  }
  close();
  file_ = file::OpenFile(ends[0]);
  ::fcntl(file_.get(), F_SETFL, O_NONBLOCK);  // our end only
  events_ = &events;
  key_ = key;
  listen(true);
  return file::OpenFile(ends[1]);
}

void Capture::listen(bool on) {
  if (file_.get() < 0 || on == listens_) return;
  listens_ = on;
  if (on) {
    events_->add(file_.get(), key_);
  } else {
    events_->remove(file_.get());
  }
}

// Whether there may be more to read at once.
bool Capture::read() {
  if (file_.get() < 0) return false;
  std::array<char, kPiece> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): just read into
  const auto count = ::read(file_.get(), piece.data(), piece.size());
  if (count < 0 && errno == EINTR) return true;
  if (count < 0 && errno == EAGAIN) return false;
  if (count <= 0) {
    close();
    return false;
  }
  bytes_ += static_cast<std::uint64_t>(count);
  append({piece.data(), static_cast<std::size_t>(count)});
  return true;
}

Result<void> Capture::drain(SpillFile& spill) {
  // A job that writes without end must not keep us here.
  constexpr int kReadsMax = 16;
  for (int i = 0; i < kReadsMax && read(); ++i) {
    if (stream_.text.size() < kPiece) continue;
    if (auto put = spill.append(stream_.spilled, stream_.text); !put) return put;
    stream_.text.clear();
  }
  return {};
}

void Capture::append(std::string_view text) {
  if (tag_.empty()) {
    stream_.text += text;
    return;
  }
  while (!text.empty()) {
    if (!std::exchange(within_line_, true)) stream_.text += tag_;
    const auto end = text.find('\n');
    const auto line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    stream_.text += line;
    within_line_ = line.back() != '\n';
    text.remove_prefix(line.size());
  }
}

StreamText Capture::take_read() { return std::exchange(stream_, {}); }

std::string Capture::take_lines() {
  const auto end = stream_.text.rfind('\n');
  if (end == std::string::npos) return {};
  std::string lines = stream_.text.substr(0, end + 1);
  stream_.text.erase(0, end + 1);
  return lines;
}

StreamText Capture::take() {
  close();
  bytes_ = 0;
  within_line_ = false;
  return take_read();
}

Result<void> Capture::discard(SpillFile& spill) {
  StreamText stream = take();
  return spill.drop(stream.spilled);
}

}  // namespace artel::command::detail
