#include "artel/cluster/detail/explain_refusal.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <string>
#include <string_view>

#include "artel/cluster/cluster_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

std::string_view login_of(const ClusterOptions& options) {
  if (!options.user.empty()) return "this user and password";
  if (!options.token.empty()) return "this token";
  if (!options.credentials.empty()) return "these credentials";
  if (!options.nkey.empty()) return "this nkey";
  if (!options.tls.certificate.empty()) return "this certificate";
  return "clients that do not log in: it wants a user, a token, credentials or an nkey";
}

}  // namespace

std::string engine_reason(natsStatus status) {
  natsStatus last = NATS_OK;
  const char* const last_text = nats_GetLastError(&last);
  if (last != status || last_text == nullptr) return natsStatus_GetText(status);
  std::string_view text = last_text;
  const auto place_end = text.starts_with('(') ? text.find("): ") : std::string_view::npos;
  if (place_end != std::string_view::npos) text.remove_prefix(place_end + 3);
  return text.empty() ? natsStatus_GetText(status) : std::string(text);
}

ErrorCode engine_code(natsStatus status) {
  switch (status) {
    case NATS_TIMEOUT:
      return ErrorCode::timeout;
    case NATS_NOT_FOUND:
    case NATS_NO_SERVER:
      return ErrorCode::not_found;
    case NATS_CONNECTION_CLOSED:
    case NATS_CONNECTION_DISCONNECTED:
    case NATS_DRAINING:
    case NATS_STALE_CONNECTION:
      return ErrorCode::closed;
    case NATS_MAX_PAYLOAD:
      return ErrorCode::too_large;
    case NATS_INSUFFICIENT_BUFFER:
    case NATS_SLOW_CONSUMER:
      return ErrorCode::full;
    case NATS_NO_RESPONDERS:
    case NATS_NO_SERVER_SUPPORT:
      return ErrorCode::unsupported;
    case NATS_INVALID_ARG:
    case NATS_INVALID_SUBJECT:
    case NATS_ADDRESS_MISSING:
    case NATS_CONNECTION_AUTH_FAILED:
    case NATS_NOT_PERMITTED:
    case NATS_SECURE_CONNECTION_WANTED:
    case NATS_SSL_ERROR:
      return ErrorCode::invalid;
    default:
      return ErrorCode::io;
  }
}

std::string explain_refusal(natsStatus status, const ClusterOptions& options) {
  switch (status) {
    case NATS_NO_SERVER:
      return "no server answers; is nats-server running there? (--cluster local starts one)";
    case NATS_TIMEOUT:
      return fmt::format("no answer within {}; is that a NATS server?",
                         format_duration(options.connect_timeout));
    case NATS_CONNECTION_AUTH_FAILED:
      return fmt::format("the server refuses {}", login_of(options));
    case NATS_SECURE_CONNECTION_WANTED:
      return "the server has no TLS, which was asked for";
    case NATS_SSL_ERROR:
      return fmt::format(
          "TLS failed: {}; check the authority's certificate, the host's name in the server's "
          "certificate, and whether the server wants one of ours",
          engine_reason(status));
    default:
      break;
  }
  // It reads them while it connects.
  if (!options.credentials.empty()) {
    return fmt::format("cannot connect with the credentials in {}: {}",
                       options.credentials.string(), engine_reason(status));
  }
  return fmt::format("cannot connect: {}", engine_reason(status));
}

}  // namespace artel::cluster::detail
