#include "artel/command/detail/spill_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::command::detail {

Result<void> SpillFile::append(SpilledText& text, std::string_view more) {
  while (!more.empty()) {
    const auto piece = more.substr(0, kPieceMax);
    if (auto put = append_piece(text, piece); !put) return put;
    more.remove_prefix(piece.size());
  }
  return {};
}

Result<void> SpillFile::append_piece(SpilledText& text, std::string_view piece) {
  const std::uint64_t size = sizeof(Head) + piece.size();
  if (end_ % kSection + size > kSection) end_ += kSection - end_ % kSection;  // S2
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
  end_ += size;
  bytes_ += size;
  ++text.pieces;
  ++sections_[place / kSection];
  return {};
}

Result<SpillFile::Head> SpillFile::head_at(std::uint64_t place) const {
  Head head;
  if (auto got = file_.read(place, std::as_writable_bytes(std::span(&head, 1))); !got) {
    return fail(got);
  }
  return head;
}

Result<void> SpillFile::take(SpilledText& text, std::string& out) {
  ARTEL_REQUIRE(!text.empty(), "there is a piece to take");
  const auto head = head_at(text.first);
  if (!head) return fail(head);
  out.resize(head->bytes);
  auto got = file_.read(text.first + sizeof(Head), std::as_writable_bytes(std::span(out)));
  if (!got) return got;
  const std::uint64_t place = std::exchange(text.first, head->next);
  --text.pieces;
  gone(place, *head);
  return {};
}

Result<void> SpillFile::drop(SpilledText& text) {
  while (!text.empty()) {
    const auto head = head_at(text.first);
    if (!head) return fail(head);
    gone(std::exchange(text.first, head->next), *head);
  }
  text = {};
  return {};
}

void SpillFile::gone(std::uint64_t place, const Head& head) {
  bytes_ -= sizeof(head) + head.bytes;
  const auto section = sections_.find(place / kSection);
  if (--section->second > 0) return;
  sections_.erase(section);
  if (sections_.empty()) {
    file_.clear();
    end_ = kStart;
  } else if (place / kSection != end_ / kSection) {
    file_.free(place / kSection * kSection, kSection);
  }
}

}  // namespace artel::command::detail
