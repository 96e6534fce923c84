#include "artel/command/detail/capture.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

Capture::~Capture() { close(); }

void Capture::close() {
  if (file_ < 0) return;
  events_->remove(file_);
  ::close(std::exchange(file_, -1));
}

tl::expected<int, std::error_code> Capture::open(EventSet& events, std::uint64_t key) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return tl::unexpected(std::error_code(errno, std::generic_category()));
  }
  close();
  file_ = ends[0];
  ::fcntl(file_, F_SETFL, O_NONBLOCK);  // our end only
  events_ = &events;
  events.add(file_, key);
  return ends[1];
}

Result<void> Capture::drain(SpillFile& spill) {
  // As much as a pipe can hold, at most: a job that writes without end must not keep us here.
  constexpr int kReadsMax = 16;
  std::array<char, kPiece> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): just read into
  for (int i = 0; i < kReadsMax && file_ >= 0; ++i) {
    const auto count = ::read(file_, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      close();
      break;
    }
    append({piece.data(), static_cast<std::size_t>(count)});
    if (stream_.text.size() < kPiece) continue;
    if (auto put = spill.append(stream_.spilled, stream_.text); !put) return put;
    stream_.text.clear();
  }
  return {};
}

void Capture::append(std::string_view text) {
  stream_.text += text;
  bytes_ += text.size();
}

StreamText Capture::take() {
  close();
  bytes_ = 0;
  return std::exchange(stream_, {});
}

void Capture::discard(SpillFile& spill) {
  StreamText stream = take();
  spill.drop(stream.spilled);
}

}  // namespace artel::command::detail
