#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// Has the stream of this subject keep a message, and waits until it does. `action` is what the
/// error says could not be done.
[[nodiscard]] Result<void> store_message(const Connection& connection, const std::string& subject,
                                         std::string_view bytes, std::string_view action);

/// The message of this number in a stream; null: neither it nor, maybe, the stream is there.
[[nodiscard]] Result<Message> stored_message(const Connection& connection,
                                             const std::string& stream, std::uint64_t number);

/// Removes it, if it is there.
[[nodiscard]] Result<void> erase_stored(const Connection& connection, const std::string& stream,
                                        std::uint64_t number);

}  // namespace artel::cluster::detail
