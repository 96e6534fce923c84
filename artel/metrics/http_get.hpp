#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::metrics {

/// Where to ask by HTTP.
struct HttpAddress {
  std::string host;  ///< a name, or an IP address (of IPv6 without brackets)
  std::uint16_t port = 0;
  std::string path;  ///< with its query, from '/' on

  /// "http://host:port/path".
  [[nodiscard]] std::string url() const;
};

/// Reads "host:9464", ":9464" (this machine), "9464", "[::1]:9464" or "http://host:9464/metrics";
/// the path is /metrics, and the port of a URL 80, where it says nothing.
/// Errors: says what is allowed; of https that it is not spoken here.
[[nodiscard]] Result<HttpAddress> parse_http_address(std::string_view text);

/// Larger answers are refused.
inline constexpr std::size_t kHttpBytesMax = std::size_t{1} << 25U;

/// What the server answers to GET, without its head; the answer's status has to be 200, and all of
/// it has to be there by `within`.
///
/// Cost:    one connection. Looking up a name may take longer than `within`.
/// Errors:  io: nobody is there, or it broke off; timeout; too_large; parse: it is no HTTP;
///          not_found: another status than 200; cancelled, when asked to stop.
/// Threads: any.
[[nodiscard]] Result<std::string> http_get(const HttpAddress& address, Duration within,
                                           const std::stop_token& stop = {});

/// The body of an answer to GET by HTTP/1.0 or 1.1, chunked or not, of all that a server sent until
/// it closed the connection. Errors: as http_get().
[[nodiscard]] Result<std::string> http_body(std::string_view answer);

}  // namespace artel::metrics
