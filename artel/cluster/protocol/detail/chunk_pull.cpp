#include "artel/cluster/protocol/detail/chunk_pull.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::cluster::detail {

std::string ChunkPull::reply() const { return fmt::format("{}.{}", inbox_, number_); }

std::string ChunkPull::ask(std::size_t chunks, Instant now) {
  ARTEL_REQUIRE(may_ask(now) && chunks > 0, "one request at a time, for something", chunks);
  ++number_;
  left_ = chunks;
  ends_ = later(now, kOpen + kLate);
  return reply();
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
