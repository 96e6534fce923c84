#include "artel/sim/kernel/detail/event_store.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "artel/core/require.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {
namespace {

/// 0 is no store's, so that the EventId of no event fits none.
std::uint32_t next_store_number() {
  static std::atomic<std::uint32_t> last{0};
  return ++last;
}

}  // namespace

EventStore::EventStore() : number_(next_store_number()) {}

void EventStore::grow() {
  ARTEL_REQUIRE(pages_.size() < (std::size_t{1} << 32U) / Page::kEvents - 1,
                "four thousand million events are pending", pages_.size());
  if (fresh_.empty()) fresh_ = slabs_.take();
  auto* page = ::new (fresh_.data()) Page{
      .store = number_, .first_place = static_cast<std::uint32_t>(pages_.size() * Page::kEvents)};
  fresh_ = fresh_.subspan(Page::kBytes);
  pages_.push_back(page);
  // From the last to the first, so that places are given out in order of address.
  for (std::size_t i = Page::kEvents; i > 0; --i) give_back(::new (page->events() + i - 1) Event);
}

}  // namespace artel::sim::detail
