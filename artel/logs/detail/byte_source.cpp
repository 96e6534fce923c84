#include "artel/logs/detail/byte_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <ios>
#include <optional>
#include <string_view>

namespace artel::logs::detail {

// Brings more behind what is there; false at the end.
bool ByteSource::fill() {
  if (stop_.stop_requested()) return false;
  if (begin_ > 0) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kLineBytesMax) {
      too_long_ = true;
      return false;
    }
    buffer_.resize(buffer_.size() * 2);
  }
  in_.read(&buffer_[end_], static_cast<std::streamsize>(buffer_.size() - end_));
  const auto read = static_cast<std::size_t>(in_.gcount());
  end_ += read;
  at_end_ = in_.eof();
  if (at_end_ && read > 0) in_.clear();  // a file that is followed may have more later
  if (at_start_ && read > 0) {
    at_start_ = false;
    const std::string_view start(buffer_.data(), end_);
    begin_ = start.size() - after_byte_order_mark(start).size();
    if (begin_ == end_) return fill();
  }
  return read > 0;
}

std::string_view ByteSource::peek(std::size_t bytes) {
  while (end_ - begin_ < bytes && !(at_end_ && end_ > begin_) && fill()) {
  }
  return {&buffer_[begin_], std::min(bytes, end_ - begin_)};
}

std::optional<std::string_view> ByteSource::line() {
  std::size_t seen = 0;
  for (;;) {
    const std::string_view here(buffer_.data() + begin_, end_ - begin_);
    const auto* const found =
        static_cast<const char*>(std::memchr(here.data() + seen, '\n', here.size() - seen));
    if (found == nullptr) {
      seen = here.size();
      if (fill()) continue;
      if (too_long_ || here.empty()) return std::nullopt;
    }
    // The buffer may have moved at the end of the stream, but then nothing was added.
    const std::string_view all(buffer_.data() + begin_, end_ - begin_);
    const auto length =
        found == nullptr ? all.size() : static_cast<std::size_t>(found - here.data());
    begin_ += std::min(length + 1, all.size());
    ++line_;
    const auto text = all.substr(0, length);
    return text.ends_with('\r') ? text.substr(0, text.size() - 1) : text;
  }
}

}  // namespace artel::logs::detail
