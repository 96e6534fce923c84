#include "artel/cluster/detail/connection_news.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kTroublesMax = 1000;  // the first ones say what is wrong

}  // namespace

ConnectionEvents ConnectionNews::events(const std::shared_ptr<ConnectionNews>& news,
                                        const std::string& servers) {
  return {.lost =
              [news, servers] {
                news->add(MasterDisconnected{
                    {ErrorCode::closed, "the connection is lost; trying to get it back", servers}});
              },
          .restored = [news] { news->add(MasterReconnected{}); },
          .problem = [news](const Error& error) { news->add(TroubleCame{error}); },
          .shut = [news](const Error& error) { news->add(MasterDisconnected{error, true}); }};
}

std::vector<MasterEvent> ConnectionNews::take() {
  const std::lock_guard guard(lock_);
  return std::exchange(events_, {});
}

void ConnectionNews::add(MasterEvent event) {
  const std::lock_guard guard(lock_);
  if (std::holds_alternative<TroubleCame>(event) && events_.size() >= kTroublesMax) return;
  events_.push_back(std::move(event));
}

}  // namespace artel::cluster::detail
