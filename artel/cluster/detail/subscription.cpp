#include "artel/cluster/detail/subscription.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/engine_subscription.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::cluster::detail {
namespace {

std::string_view text_of(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

}  // namespace

std::string_view payload_of(const Message& message) {
  return {natsMsg_GetData(message.get()),
          static_cast<std::size_t>(natsMsg_GetDataLength(message.get()))};
}
std::string_view subject_of(const Message& message) {
  return text_of(natsMsg_GetSubject(message.get()));
}
std::string_view reply_of(const Message& message) {
  return text_of(natsMsg_GetReply(message.get()));
}

void tell_server(const Connection& connection, const std::string& ack, const std::string& what) {
  natsConnection* const way = what == "+ACK" ? connection.bulk() : connection.handle();
  static_cast<void>(natsConnection_PublishString(way, ack.c_str(), what.c_str()));
}

struct Subscription::State {
  Handler handler;
  std::function<void()> calm;
  EngineSubscription subscription;
  std::promise<void> complete;
  bool begun = false;

  State(EngineSubscription made, Handler given, std::function<void()> then)
      : handler(std::move(given)), calm(std::move(then)), subscription(std::move(made)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (!begun) return;
    // Of a closed connection it has ended already; the last event comes all the same.
    static_cast<void>(natsSubscription_Unsubscribe(subscription.get()));
    complete.get_future().wait();
  }

  static void came(natsConnection*, natsSubscription* subscription, natsMsg* message, void* self) {
    const auto& state = *static_cast<State*>(self);
    state.handler(Message(message));
    if (!state.calm) return;
    int waiting = 0;
    if (natsSubscription_GetPending(subscription, &waiting, nullptr) != NATS_OK || waiting == 0) {
      state.calm();
    }
  }
  static void ended(void* self) { static_cast<State*>(self)->complete.set_value(); }
};

Result<Subscription> Subscription::open(const Connection& connection, const std::string& subject,
                                        Handler handler, std::function<void()> calm) {
  auto state =
      std::make_unique<State>(connection.new_subscription(), std::move(handler), std::move(calm));
  natsStatus status = natsConnection_Subscribe(state->subscription.out(), connection.handle(),
                                               subject.c_str(), State::came, state.get());
  if (status == NATS_OK) {
    auto* const made = state->subscription.get();
    status = natsSubscription_SetOnCompleteCB(made, State::ended, state.get());
    ARTEL_REQUIRE(status == NATS_OK, "a subscription that has just begun has not ended",
                  natsStatus_GetText(status));
    state->begun = true;
    // What comes is bounded by what was asked for.
    status = natsSubscription_SetPendingLimits(made, -1, -1);
  }
  if (status != NATS_OK) {
    return tl::unexpected(connection.error(fmt::format("subscribe to {}", subject), status));
  }
  return Subscription(std::move(state));
}

Subscription::Subscription(std::unique_ptr<State> state) : state_(std::move(state)) {}
Subscription::Subscription(Subscription&&) noexcept = default;
Subscription& Subscription::operator=(Subscription&&) noexcept = default;
Subscription::~Subscription() = default;

}  // namespace artel::cluster::detail
