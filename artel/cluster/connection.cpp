#include "artel/cluster/connection.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/detail/engine_exit.hpp"
#include "artel/cluster/detail/explain_refusal.hpp"
#include "artel/cluster/detail/nkey_bytes.hpp"
#include "artel/cluster/detail/server_version.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/engine_subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/printable_text.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::cluster {
namespace {

constexpr std::int64_t kReconnectWaitMs = 100;
constexpr std::int64_t kReconnectJitterMs = 50;
constexpr std::int64_t kPingIntervalMs = 2000;
constexpr int kPingsOutMax = 2;
constexpr std::size_t kUrlMax = 512;
constexpr std::size_t kTogetherMax = 16'384;  // half of what the engine buffers

std::int64_t milliseconds(Duration duration) {
  return std::max<std::int64_t>(1, duration / std::chrono::milliseconds(1));
}

bool wants_tls(const ClusterOptions& options) {
  return options.tls.any() || std::ranges::any_of(options.servers, [](const auto& server) {
           return server.starts_with("tls://");
         });
}

// A chain of calls that ends with the first failure.
class Settings {
 public:
  template <class Call>
  void then(std::string_view action, Call call) {
    if (failed_) return;
    const natsStatus status = call();
    if (status == NATS_OK) return;
    failed_ = true;
    error_ = engine_error(action, status, {});
  }

  [[nodiscard]] Result<void> result(std::string where) const {
    if (!failed_) return {};
    return fail(error_.code, error_.what, std::move(where));
  }

 private:
  bool failed_ = false;
  Error error_{};
};

void set_tls(Settings& settings, natsOptions* handle, const ClusterOptions& options) {
  if (!wants_tls(options)) return;
  settings.then("use TLS", [&] { return natsOptions_SetSecure(handle, true); });
  if (!options.tls.authority.empty()) {
    settings.then("read the authority's certificate", [&] {
      return natsOptions_LoadCATrustedCertificates(handle, options.tls.authority.c_str());
    });
  }
  if (!options.tls.certificate.empty()) {
    settings.then("read the certificate and its key", [&] {
      return natsOptions_LoadCertificatesChain(handle, options.tls.certificate.c_str(),
                                               options.tls.key.c_str());
    });
  }
}

Result<void> set_login(Settings& settings, natsOptions* handle, const ClusterOptions& options) {
  if (!options.user.empty()) {
    settings.then("use the password", [&] {
      return natsOptions_SetUserInfo(handle, options.user.c_str(),
                                     options.password.reveal().c_str());
    });
  }
  if (!options.token.empty()) {
    settings.then("use the token",
                  [&] { return natsOptions_SetToken(handle, options.token.reveal().c_str()); });
  }
  if (!options.credentials.empty()) {
    settings.then("read the credentials", [&] {
      return natsOptions_SetUserCredentialsFromFiles(handle, options.credentials.c_str(), nullptr);
    });
  }
  if (!options.nkey.empty()) {
    const auto seed = Secret::from_file(options.nkey);
    if (!seed) return fail(seed);
    const auto key = detail::nkey_of_seed(*seed);
    if (!key) return fail(key.error().code, key.error().what, options.nkey.string());
    settings.then("read the nkey", [&] {
      return natsOptions_SetNKeyFromSeed(handle, key->c_str(), options.nkey.c_str());
    });
  }
  return {};
}

// Of a server's challenges the engine (3.4.1) answers one in a hundred without a signature, and is
// refused. The next challenge is another.
natsStatus connect_engine(natsConnection*& made, natsOptions* handle,
                          const ClusterOptions& options) {
  constexpr int kTries = 5;
  const bool signs = !options.nkey.empty() || !options.credentials.empty();
  natsStatus status = NATS_OK;
  for (int tries = signs ? kTries : 1; tries > 0; --tries) {
    status = natsConnection_Connect(&made, handle);
    if (status != NATS_CONNECTION_AUTH_FAILED) break;
  }
  return status;
}

}  // namespace

struct Connection::State {
  ConnectionEvents events;
  std::string servers;
  Duration connect_timeout{};
  std::string inbox_prefix;
  MessageSeal seal;
  const detail::EngineExit exit{};
  natsConnection* connection = nullptr;
  natsConnection* bulk = nullptr;
  jsCtx* jetstream = nullptr;
  std::shared_ptr<EndedSubscriptions> ended;
  std::atomic<bool> closing = false;  // by us
  std::promise<void> closed;          // the engine's last event
  std::promise<void> bulk_closed;

  State(ConnectionEvents given, std::string where)
      : events(std::move(given)), servers(std::move(where)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    closing = true;
    jsCtx_Destroy(jetstream);
    if (bulk != nullptr) {
      natsConnection_Close(bulk);
      bulk_closed.get_future().wait();
      natsConnection_Destroy(bulk);
    }
    if (connection == nullptr) return;
    natsConnection_Close(connection);
    closed.get_future().wait();
    if (ended) ended->free_all();
    natsConnection_Destroy(connection);
  }

  static void lost(natsConnection*, void* self) {
    if (const auto& lost = static_cast<State*>(self)->events.lost) lost();
  }
  static void restored(natsConnection*, void* self) {
    if (const auto& restored = static_cast<State*>(self)->events.restored) restored();
  }
  void ended_by_server(natsConnection* side) const {
    if (closing || !events.shut) return;
    const char* text = nullptr;
    const bool refused = natsConnection_GetLastError(side, &text) == NATS_CONNECTION_AUTH_FAILED;
    events.shut({refused ? ErrorCode::closed : ErrorCode::io,
                 fmt::format("the server has {}: {}",
                             refused ? "shut the connection for good" : "ended the connection",
                             last_error(side, NATS_CONNECTION_CLOSED)),
                 servers});
  }
  static void closed_for_good(natsConnection* connection, void* self) {
    auto& state = *static_cast<State*>(self);
    state.ended_by_server(connection);
    state.closed.set_value();
  }
  static void bulk_closed_for_good(natsConnection* bulk, void* self) {
    auto& state = *static_cast<State*>(self);
    state.ended_by_server(bulk);
    state.bulk_closed.set_value();
  }
  static void problem(natsConnection* connection, natsSubscription*, natsStatus status,
                      void* self) {
    const auto& state = *static_cast<State*>(self);
    if (!state.events.problem) return;
    state.events.problem(
        {detail::engine_code(status), last_error(connection, status), state.servers});
  }
  static std::string last_error(natsConnection* connection, natsStatus otherwise) {
    const char* text = nullptr;
    static_cast<void>(natsConnection_GetLastError(connection, &text));
    const bool said = text != nullptr && *text != '\0';
    return printable_text(said ? text : natsStatus_GetText(otherwise), Lines::one);
  }

  void set_events(Settings& settings, natsOptions* handle, bool of_bulk) {
    settings.then("be told of events", [&] {
      if (of_bulk) return natsOptions_SetClosedCB(handle, bulk_closed_for_good, this);
      natsStatus status = natsOptions_SetDisconnectedCB(handle, lost, this);
      if (status == NATS_OK) status = natsOptions_SetReconnectedCB(handle, restored, this);
      if (status == NATS_OK) status = natsOptions_SetErrorHandler(handle, problem, this);
      if (status == NATS_OK) status = natsOptions_SetClosedCB(handle, closed_for_good, this);
      return status;
    });
  }
};

namespace {

void set_network(Settings& settings, natsOptions* handle, const ClusterOptions& options,
                 bool bulk) {
  std::vector<const char*> servers;
  servers.reserve(options.servers.size());
  for (const auto& server : options.servers) servers.push_back(server.c_str());
  settings.then("use the servers", [&] {
    return natsOptions_SetServers(handle, servers.data(), static_cast<int>(servers.size()));
  });
  settings.then("set up the connection", [&] {
    natsStatus status = natsOptions_SetName(handle, options.name.c_str());
    const auto also = [&](natsStatus next) { status = status == NATS_OK ? next : status; };
    also(natsOptions_SetTimeout(handle, milliseconds(options.connect_timeout)));
    also(natsOptions_SetMaxReconnect(handle, -1));
    also(natsOptions_SetReconnectWait(handle, kReconnectWaitMs));
    also(natsOptions_SetReconnectJitter(handle, kReconnectJitterMs, kReconnectJitterMs));
    also(natsOptions_SetPingInterval(handle, kPingIntervalMs));
    also(natsOptions_SetMaxPingsOut(handle, kPingsOutMax));
    also(natsOptions_SetSendAsap(handle, !bulk));
    also(natsOptions_SetWriteDeadline(handle, kPingIntervalMs * (kPingsOutMax + 1)));
    also(natsOptions_SetCustomInboxPrefix(handle, options.inbox_prefix.c_str()));
    return status;
  });
}

}  // namespace

Result<Connection> Connection::connect(const ClusterOptions& options, ConnectionEvents events) {
  if (auto checked = check(options); !checked) return fail(checked);
  if (wants_tls(options)) detail::EngineExit::prepare();
  auto state = std::make_unique<State>(std::move(events), server_list(options));
  auto seal = MessageSeal::open(
      {.key = options.sign_key, .trusted = options.trusted_keys, .masters = options.master_keys},
      options.pool);
  if (!seal) return fail(seal);
  state->seal = std::move(*seal);
  state->connect_timeout = options.connect_timeout;
  state->inbox_prefix = options.inbox_prefix;
  const auto& where = state->servers;
  for (const bool bulk : {false, true}) {
    EngineHandle<natsOptions> handle;
    if (const auto status = natsOptions_Create(OutHandle(handle)); status != NATS_OK) {
      return tl::unexpected(engine_error("start the engine", status, where));
    }
    Settings settings;
    set_network(settings, handle.get(), options, bulk);
    set_tls(settings, handle.get(), options);
    if (auto set = set_login(settings, handle.get(), options); !set) return fail(set);
    state->set_events(settings, handle.get(), bulk);
    if (auto set = settings.result(where); !set) return fail(set);

    natsConnection*& made = bulk ? state->bulk : state->connection;
    const auto status = connect_engine(made, handle.get(), options);
    if (status == NATS_OK) continue;
    made = nullptr;
    return fail(detail::engine_code(status), detail::explain_refusal(status, options), where);
  }
  state->ended = std::make_shared<EndedSubscriptions>(state->connection);
  jsOptions js;
  jsOptions_Init(&js);
  js.Wait = milliseconds(options.request_timeout);
  if (const auto status = natsConnection_JetStream(&state->jetstream, state->connection, &js);
      status != NATS_OK) {
    return tl::unexpected(engine_error("use JetStream", status, where));
  }
  return Connection(std::move(state));
}

Connection::Connection(std::unique_ptr<State> state) : state_(std::move(state)) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

natsConnection* Connection::handle() const { return state_->connection; }
natsConnection* Connection::bulk() const { return state_->bulk; }
natsConnection* Connection::way_together(std::size_t bytes) const {
  return bytes < kTogetherMax ? bulk() : handle();
}
jsCtx* Connection::jetstream() const { return state_->jetstream; }
EngineSubscription Connection::new_subscription() const {
  return EngineSubscription(state_->ended);
}
const std::string& Connection::servers() const { return state_->servers; }
const MessageSeal& Connection::seal() const { return state_->seal; }

std::string Connection::new_inbox() const {
  EngineHandle<natsInbox> inbox;
  const natsStatus status = natsInbox_Create(OutHandle(inbox));
  ARTEL_REQUIRE(status == NATS_OK, "no memory for a subject", natsStatus_GetText(status));
  const std::string_view text = inbox.get();
  return fmt::format("{}{}", state_->inbox_prefix, text.substr(text.find('.')));
}

std::size_t Connection::payload_bytes_max() const {
  return static_cast<std::size_t>(
      std::max<std::int64_t>(0, natsConnection_GetMaxPayload(state_->connection)));
}

bool Connection::is_connected() const {
  return natsConnection_Status(state_->connection) == NATS_CONN_STATUS_CONNECTED;
}

Result<std::string> Connection::server_version() const {
  std::array<char, kUrlMax> url{};
  const auto status = natsConnection_GetConnectedUrl(state_->connection, url.data(), url.size());
  if (status != NATS_OK) return tl::unexpected(error("see the server's address", status));
  return detail::server_version(url.data(), state_->connect_timeout);
}

Result<void> Connection::require_jetstream() const {
  EngineHandle<jsAccountInfo> info;
  jsErrCode detail{};
  const auto status = js_GetAccountInfo(OutHandle(info), state_->jetstream, nullptr, &detail);
  if (status == NATS_OK) return {};
  if (status == NATS_NO_RESPONDERS || detail == JSNotEnabledErr ||
      detail == JSNotEnabledForAccountErr) {
    return fail(ErrorCode::unsupported,
                "the server runs without JetStream, which artel needs: start it with -js, or give "
                "this account a jetstream block",
                state_->servers);
  }
  if (status == NATS_TIMEOUT) {
    return fail(ErrorCode::timeout,
                "JetStream does not answer: no leader among the servers, or this user may not "
                "publish to $JS.API.>",
                state_->servers);
  }
  return tl::unexpected(error("use JetStream", status));
}

Result<void> Connection::flush(Duration timeout) const {
  for (natsConnection* connection : {state_->bulk, state_->connection}) {
    const auto status = natsConnection_FlushTimeout(connection, milliseconds(timeout));
    if (status != NATS_OK) return tl::unexpected(error("reach the server", status));
  }
  return {};
}

Error Connection::error(std::string_view action, natsStatus status) const {
  return engine_error(action, status, state_->servers);
}

Error engine_error(std::string_view action, natsStatus status, std::string where) {
  return {detail::engine_code(status),
          fmt::format("cannot {}: {}", action, detail::engine_reason(status)), std::move(where)};
}

}  // namespace artel::cluster
