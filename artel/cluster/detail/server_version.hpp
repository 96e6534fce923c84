#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// Asks the server at "nats://host:port" what it is, on a connection of its own: the engine keeps
/// that to itself. A server says it to whoever comes, before it asks who that is, and before TLS.
/// Errors: not_found, timeout, io; parse: it says something else.
[[nodiscard]] Result<std::string> server_version(std::string_view url, Duration timeout);

/// What of its INFO line, `INFO {"…"}`, is the version; nothing: it does not say it.
[[nodiscard]] std::optional<std::string> version_in(std::string_view info);

/// What the user of this version should know; empty: nothing.
[[nodiscard]] std::string remarks_on_version(std::string_view version);

}  // namespace artel::cluster::detail
