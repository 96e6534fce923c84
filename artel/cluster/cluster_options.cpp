#include "artel/cluster/cluster_options.hpp"

#include <fmt/core.h>
#include <fmt/std.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/file/read_text_file.hpp"

namespace artel::cluster {
namespace {

constexpr std::uint64_t kKeyFileBytesMax = 1'000'000;
constexpr std::size_t kNameMax = 64;

std::string_view without_scheme(std::string_view server) {
  const auto scheme = server.find("://");
  return scheme == std::string_view::npos ? server : server.substr(scheme + 3);
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned char byte = 0;
    const auto digits = text.substr(i + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (error != std::errc{} || digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

Result<void> take_user_part(std::string_view text, const std::string& address,
                            ClusterOptions& options) {
  const auto colon = text.find(':');
  const auto first = percent_decoded(text.substr(0, colon));
  const auto second =
      percent_decoded(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  if (!first || !second || first->empty()) {
    return fail(ErrorCode::invalid,
                "what stands before '@' is neither user:password nor a token; special characters "
                "are written %XX",
                address);
  }
  const bool is_token = colon == std::string_view::npos;
  const auto& given = is_token ? options.token : options.password;
  const auto& found = is_token ? *first : *second;
  const bool differs = (!given.empty() && given.reveal() != found) ||
                       (!is_token && !options.user.empty() && options.user != *first);
  if (differs) {
    return fail(ErrorCode::invalid, "all servers of a cluster take the same user or token",
                address);
  }
  if (is_token) {
    options.token = Secret(found);
  } else {
    options.user = *first;
    options.password = Secret(found);
  }
  return {};
}

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && port >= 1 && port <= 65'535;
}

// Host, "host:port", "[v6]", "[v6]:port".
bool is_address(std::string_view text) {
  const bool bracketed = text.starts_with('[');
  const auto host_end = bracketed ? text.find(']') : text.find(':');
  if (bracketed && host_end == std::string_view::npos) return false;
  const auto host = bracketed ? text.substr(1, host_end - 1) : text.substr(0, host_end);
  const auto rest =
      bracketed ? text.substr(host_end + 1) : text.substr(std::min(host_end, text.size()));
  const auto in_host = [bracketed](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_' ||
           (bracketed && (c == ':' || c == '%'));
  };
  if (host.empty() || !std::ranges::all_of(host, in_host)) return false;
  return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
}

Result<void> take_server(std::string_view server, ClusterOptions& options) {
  const auto rest = without_scheme(server);
  std::string scheme(server.substr(0, server.size() - rest.size()));
  const auto at = rest.rfind('@');
  auto host = at == std::string_view::npos ? rest : rest.substr(at + 1);
  if (host.ends_with('/')) host.remove_suffix(1);
  if (scheme.empty()) scheme = "nats://";
  const auto address = fmt::format("{}{}", scheme, host);
  if (scheme != "nats://" && scheme != "tls://") {
    return fail(ErrorCode::invalid, "a server is written nats://host:port or tls://host:port",
                address);
  }
  if (!is_address(host)) {
    return fail(ErrorCode::invalid, "not a host, or host:port with a port from 1 to 65535",
                address);
  }
  if (at != std::string_view::npos) {
    if (auto taken = take_user_part(rest.substr(0, at), address, options); !taken) return taken;
  }
  options.servers.push_back(address);
  return {};
}

// What is below it, a name of the engine's and what we add, has to be a subject, too.
bool is_inbox_prefix(std::string_view text) {
  constexpr std::size_t kBytesMax = 100;
  return text.size() <= kBytesMax && is_reply_subject(text);
}

Result<void> check_readable(const std::filesystem::path& path, std::string_view what) {
  if (path.empty()) return {};
  const auto file = file::open_text_file(path, kKeyFileBytesMax);
  if (file) return {};
  return fail(file.error().code, fmt::format("{}: {}", what, file.error().what));
}

}  // namespace

bool has_user_part(std::string_view text) { return text.find('@') != std::string_view::npos; }

Result<ClusterOptions> parse_servers(std::string_view text) {
  ClusterOptions options;
  while (true) {
    const auto comma = text.find(',');
    if (auto taken = take_server(text.substr(0, comma), options); !taken) return fail(taken);
    if (comma == std::string_view::npos) return options;
    text.remove_prefix(comma + 1);
  }
}

std::string server_list(const ClusterOptions& options) { return join(options.servers, ","); }

Result<void> check(const ClusterOptions& options) {
  if (options.servers.empty()) {
    return fail(ErrorCode::invalid, "which cluster? A server is written nats://host:port");
  }
  if (!is_subject_token(options.pool)) {
    return fail(ErrorCode::invalid,
                fmt::format("pool '{}': a pool's name is 1 to {} letters, digits, '-' and '_'",
                            options.pool, kNameMax));
  }
  std::vector<std::string_view> ways;
  if (!options.user.empty()) ways.emplace_back("user");
  if (!options.token.empty()) ways.emplace_back("token");
  if (!options.credentials.empty()) ways.emplace_back("credentials");
  if (!options.nkey.empty()) ways.emplace_back("nkey");
  if (ways.size() > 1) {
    return fail(ErrorCode::invalid,
                fmt::format("one way to log in is enough, found {}", join(ways, " and ")));
  }
  if (options.user.empty() && !options.password.empty()) {
    return fail(ErrorCode::invalid, "a password needs a user");
  }
  if (options.tls.certificate.empty() != options.tls.key.empty()) {
    return fail(ErrorCode::invalid, options.tls.key.empty() ? "a certificate needs its key"
                                                            : "a key needs its certificate");
  }
  if (!is_inbox_prefix(options.inbox_prefix)) {
    return fail(
        ErrorCode::invalid,
        fmt::format("inbox prefix '{}': at most 100 letters, digits, '-' and '_', with dots; "
                    "not below mr",
                    options.inbox_prefix));
  }
  for (const auto& [path, what] :
       {std::pair{&options.tls.authority, "authority's certificate"},
        std::pair{&options.tls.certificate, "certificate"}, std::pair{&options.tls.key, "key"},
        std::pair{&options.credentials, "credentials"}, std::pair{&options.nkey, "nkey"},
        std::pair{&options.sign_key, "key to sign with"},
        std::pair{&options.trusted_keys, "trusted keys"},
        std::pair{&options.master_keys, "keys of masters"}}) {
    if (auto readable = check_readable(*path, what); !readable) return readable;
  }
  return {};
}

}  // namespace artel::cluster
