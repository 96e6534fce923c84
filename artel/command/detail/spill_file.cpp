#include "artel/command/detail/spill_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::command::detail {

Result<void> SpillFile::append(SpilledText& text, std::string_view piece) {
  ARTEL_REQUIRE(!piece.empty(), "a piece has bytes");
  const std::uint64_t place = end_;
  const Head head{.next = 0, .bytes = piece.size()};
  if (auto put = file_.write(place, std::as_bytes(std::span(&head, 1))); !put) return put;
  if (auto put = file_.write(place + sizeof(head), std::as_bytes(std::span(piece))); !put) {
    return put;
  }
  if (text.empty()) {
    text.first = place;
  } else {  // `next` comes first in a head
    if (auto put = file_.write(text.last, std::as_bytes(std::span(&place, 1))); !put) return put;
  }
  text.last = place;
  end_ += sizeof(head) + piece.size();
  ++text.pieces;
  ++pieces_;
  return {};
}

Result<void> SpillFile::take(SpilledText& text, std::string& out) {
  ARTEL_REQUIRE(!text.empty(), "there is a piece to take");
  Head head;
  if (auto got = file_.read(text.first, std::as_writable_bytes(std::span(&head, 1))); !got) {
    return got;
  }
  out.resize(head.bytes);
  auto got = file_.read(text.first + sizeof(head), std::as_writable_bytes(std::span(out)));
  if (!got) return got;
  text.first = head.next;
  --text.pieces;
  gone(1);
  return {};
}

void SpillFile::drop(SpilledText& text) { gone(std::exchange(text, {}).pieces); }

void SpillFile::gone(std::uint64_t pieces) {
  if (pieces == 0) return;
  pieces_ -= pieces;
  if (pieces_ > 0) return;
  file_.clear();
  end_ = kStart;
}

}  // namespace artel::command::detail
