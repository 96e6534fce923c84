#include "artel/cluster/make_cluster_folder.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/detail/cluster_role.hpp"
#include "artel/cluster/detail/self_signed.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

namespace fs = std::filesystem;

// docs/cluster-security.md explains it, and a test compares the two. <POOL>, …_PASSWORD: to fill
// in; <WORKERS>: detail::worker_user() of each.
constexpr std::string_view kAuthorization = R"(authorization { users: [
<WORKERS>  { user: master, password: $MASTER_PASSWORD, permissions: {
      allow_responses: true
      publish: ["mr.<POOL>.t.>", "mr.<POOL>.who", "mr.<POOL>.d.>", "_M.>", "$JS.API.INFO",
                "$JS.API.STREAM.CREATE.MR_<POOL>", "$JS.API.STREAM.CREATE.MR_<POOL>_D",
                "$JS.API.STREAM.INFO.MR_<POOL>", "$JS.API.STREAM.INFO.MR_<POOL>_D",
                "$JS.API.STREAM.MSG.GET.MR_<POOL>", "$JS.API.STREAM.MSG.GET.MR_<POOL>_D",
                "$JS.API.STREAM.MSG.DELETE.MR_<POOL>", "$JS.API.STREAM.MSG.DELETE.MR_<POOL>_D",
                "$JS.API.CONSUMER.DURABLE.CREATE.MR_<POOL>.*", "$JS.API.CONSUMER.INFO.MR_<POOL>.*",
                "$JS.API.CONSUMER.DELETE.MR_<POOL>.*"]
      subscribe: ["_M.master.>", "mr.<POOL>.hb.*", "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.MR_<POOL>.*"] } }
  { user: operator, password: $OPERATOR_PASSWORD, permissions: {
      publish: ["mr.<POOL>.t.>", "mr.<POOL>.who", "$JS.API.INFO", "$JS.API.STREAM.INFO.>", "$JS.API.STREAM.MSG.GET.>",
                "$JS.API.STREAM.MSG.DELETE.>", "$JS.API.STREAM.DELETE.>", "$JS.API.CONSUMER.INFO.>"]
      subscribe: ["_M.operator.>"] } }
] }
)";

using detail::ClusterRole;
using detail::replaced;

Result<std::vector<ClusterRole>> make_roles() {
  std::vector<ClusterRole> roles{{.name = "worker", .inbox = "_W.worker", .signs = true},
                                 {.name = "master", .inbox = "_M.master", .signs = true},
                                 {.name = "operator", .inbox = "_M.operator"}};
  for (ClusterRole& role : roles) {
    if (auto made = detail::make_secrets(role); !made) return fail(made);
  }
  // Workers trust masters. Masters and operators trust workers, and masters where orders are
  // concerned.
  const std::string worker = detail::trusted_line(roles[0]);
  const std::string master = detail::trusted_line(roles[1]);
  roles[0].trusted = master;
  for (ClusterRole* role : {&roles[1], &roles[2]}) {
    role->trusted = worker;
    role->masters = master;
  }
  return roles;
}

std::string server_host(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

Result<void> write_server(const fs::path& folder, const ClusterFolderOptions& options,
                          const std::vector<ClusterRole>& roles,
                          const detail::SelfSigned& identity) {
  const auto quoted = [](const ClusterRole& role) {
    return fmt::format("\"{}\"", role.password.reveal());
  };
  std::string authorization = replaced(std::string(kAuthorization), "<POOL>", options.pool);
  authorization = replaced(std::move(authorization), "<WORKERS>",
                           detail::worker_user(roles[0], options.pool, quoted(roles[0])));
  authorization = replaced(std::move(authorization), "$MASTER_PASSWORD", quoted(roles[1]));
  authorization = replaced(std::move(authorization), "$OPERATOR_PASSWORD", quoted(roles[2]));
  const std::string text = fmt::format(
      "# nats-server -c server.conf -sd STORE, started in this folder.\n"
      "listen: \"{}:{}\"\nmax_payload: 8MB\njetstream: enabled\n"
      "tls {{ cert_file: \"certificate.pem\", key_file: \"key.pem\" }}\n{}",
      server_host(options.listen), options.port, authorization);
  if (auto made = detail::make_private_folder(folder); !made) return made;
  for (const auto& [name, content] :
       {std::pair("server.conf", text), std::pair("certificate.pem", identity.certificate),
        std::pair("key.pem", identity.key.reveal())}) {
    if (auto done = detail::write_private(folder / name, content); !done) return done;
  }
  return {};
}

}  // namespace

Result<void> make_cluster_folder(const fs::path& folder, const ClusterFolderOptions& options) {
  if (!is_subject_token(options.pool)) {
    return fail(
        ErrorCode::invalid,
        fmt::format("'{}' is no name of a pool: letters, digits, '-' and '_'", options.pool),
        "--pool");
  }
  std::vector<std::string> names{options.address, "localhost"};
  if (options.address != "127.0.0.1") names.emplace_back("127.0.0.1");
  const auto identity = detail::make_self_signed(names);
  if (!identity) return fail(identity);
  const auto roles = make_roles();
  if (!roles) return fail(roles);
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  if (auto made = detail::make_private_folder(folder); !made) return made;
  const std::string server = fmt::format("tls://{}:{}", server_host(options.address), options.port);
  auto written = write_server(folder / "server", options, *roles, *identity);
  for (const ClusterRole& role : *roles) {
    if (!written) break;
    written =
        detail::write_role(folder / role.name, role, server, options.pool, identity->certificate);
  }
  if (!written) fs::remove_all(folder, ignored);  // a part of it is of no use, and in the way
  return written;
}

}  // namespace artel::cluster
