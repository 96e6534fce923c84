#include "artel/cluster/protocol/detail/server_link.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "artel/cluster/protocol/master_event.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

constexpr Duration kTellAgain = std::chrono::minutes(1);  // trouble of one kind

}  // namespace

void ServerLink::lost(const MasterDisconnected& event, Instant now) {
  if (!gone_) gone_since_ = now;
  gone_ = event;
}

Duration ServerLink::back(Instant now) {
  return std::exchange(gone_, std::nullopt) ? now - gone_since_ : Duration{};
}

void ServerLink::did_not_run(Duration time, Instant now) {
  gone_since_ = std::min(now, gone_since_ + time);
}

// A server that refuses every chunk says so for every one.
bool ServerLink::trouble_came(const TroubleCame& event, Instant now) {
  const bool told =
      trouble_ && trouble_->error.code == event.error.code && now - trouble_told_ < kTellAgain;
  trouble_ = event;
  trouble_at_ = now;
  if (!told) trouble_told_ = now;
  return !told;
}

std::string ServerLink::with_trouble(std::string what, Instant since) const {
  if (trouble_ && trouble_at_ >= since) what += ": " + trouble_->error.what;
  return what;
}

}  // namespace artel::cluster::detail
