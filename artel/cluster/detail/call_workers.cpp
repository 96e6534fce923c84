#include "artel/cluster/detail/call_workers.hpp"

#include <nats/nats.h>
#include <nats/status.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <tl/expected.hpp>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/engine_subscription.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::int64_t kDiscoveryMs = 500;  // until the first worker answers
constexpr std::int64_t kCalmMs = 20;        // and no other does

}  // namespace

Result<void> call_workers(const Connection& connection, const Subjects& subjects,
                          const std::function<void(const Message&)>& report_came) {
  const std::string inbox = connection.new_inbox();
  EngineSubscription answers = connection.new_subscription();
  natsStatus status =
      natsConnection_SubscribeSync(answers.out(), connection.handle(), inbox.c_str());
  if (status == NATS_OK) {
    status = natsConnection_PublishRequest(connection.handle(), subjects.discovery().c_str(),
                                           inbox.c_str(), "", 0);
  }
  if (status != NATS_OK) return tl::unexpected(connection.error("call the workers", status));
  const Instant deadline = later(steady_now(), std::chrono::milliseconds(kDiscoveryMs));
  for (std::int64_t patience = kDiscoveryMs; steady_now() < deadline; patience = kCalmMs) {
    Message report;
    status = natsSubscription_NextMsg(OutHandle(report), answers.get(), patience);
    if (status != NATS_OK || natsMsg_IsNoResponders(report.get())) break;
    report_came(report);
  }
  return {};
}

}  // namespace artel::cluster::detail
