#include "artel/cluster/detail/stored_message.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {
namespace {

bool is_missing(jsErrCode detail) {
  return detail == JSNoMessageFoundErr || detail == JSStreamNotFoundErr ||
         detail == JSSequenceNotFoundErr;
}

}  // namespace

Result<void> store_message(const Connection& connection, const std::string& subject,
                           std::string_view bytes, std::string_view action) {
  jsErrCode detail{};
  const natsStatus status =
      js_Publish(nullptr, connection.jetstream(), subject.c_str(), bytes.data(),
                 static_cast<int>(bytes.size()), nullptr, &detail);
  if (status == NATS_OK) return {};
  return tl::unexpected(connection.error(action, status));
}

Result<Message> stored_message(const Connection& connection, const std::string& stream,
                               std::uint64_t number) {
  natsMsg* found = nullptr;
  jsErrCode detail{};
  const natsStatus status =
      js_GetMsg(&found, connection.jetstream(), stream.c_str(), number, nullptr, &detail);
  Message message(found);
  if (status == NATS_OK || is_missing(detail)) return message;
  return tl::unexpected(
      connection.error(fmt::format("read message {} of {}", number, stream), status));
}

Result<void> erase_stored(const Connection& connection, const std::string& stream,
                          std::uint64_t number) {
  jsErrCode detail{};
  const natsStatus status =
      js_DeleteMsg(connection.jetstream(), stream.c_str(), number, nullptr, &detail);
  if (status == NATS_OK || is_missing(detail)) return {};
  if (detail == JSStreamMsgDeleteFailed) {  // which is also what it says of one that is gone
    const auto message = stored_message(connection, stream, number);
    if (message && !*message) return {};
  }
  return tl::unexpected(
      connection.error(fmt::format("remove message {} of {}", number, stream), status));
}

}  // namespace artel::cluster::detail
