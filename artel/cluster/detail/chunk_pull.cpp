#include "artel/cluster/detail/chunk_pull.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "artel/cluster/detail/subscription.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::cluster::detail {

ChunkPull::ChunkPull(std::string_view stream, std::string_view consumer)
    : subject_(fmt::format("$JS.API.CONSUMER.MSG.NEXT.{}.{}", stream, consumer)),
      inbox_(new_inbox()) {}

std::string ChunkPull::reply() const { return fmt::format("{}.{}", inbox_, number_); }

ChunkPull::Request ChunkPull::ask(std::size_t chunks, Instant now) {
  ARTEL_REQUIRE(may_ask(now) && chunks > 0, "one request at a time, for something", chunks);
  ++number_;
  left_ = chunks;
  ends_ = later(now, kOpen + kLate);
  return {reply(), fmt::format(R"({{"batch":{},"expires":{}}})", chunks, kOpen.count())};
}

bool ChunkPull::was_lost(Instant now) {
  if (left_ == 0 || now < ends_) return false;
  left_ = 0;
  return true;
}

void ChunkPull::chunk_came() {
  if (left_ > 0) --left_;
}

void ChunkPull::status_came(std::string_view subject, std::string_view status, Instant now) {
  if (subject != reply()) return;
  left_ = 0;
  if (status != "408") next_ = later(now, kPause);  // its time was not up
}

}  // namespace artel::cluster::detail
