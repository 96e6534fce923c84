#include "artel/cluster/make_cluster_folder.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/detail/self_signed.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/file/write_file.hpp"

namespace artel::cluster {
namespace {

namespace fs = std::filesystem;

// docs/cluster-security.md explains it, and a test compares the two. POOL, …_PASSWORD: to fill in.
constexpr std::string_view kAuthorization = R"(authorization { users: [
  { user: worker, password: $WORKER_PASSWORD, permissions: {
      publish: ["$JS.API.CONSUMER.MSG.NEXT.MR_POOL.>", "$JS.API.CONSUMER.INFO.MR_POOL.>", "$JS.ACK.MR_POOL.>",
                "mr.POOL.hb.*", "mr.POOL.d.>", "_M.>"]
      subscribe: ["_W.>", "mr.POOL.who"] } }
  { user: master, password: $MASTER_PASSWORD, permissions: {
      allow_responses: true
      publish: ["mr.POOL.t.>", "mr.POOL.who", "mr.POOL.d.>", "_M.>", "$JS.API.INFO",
                "$JS.API.STREAM.CREATE.MR_POOL", "$JS.API.STREAM.CREATE.MR_POOL_D",
                "$JS.API.STREAM.INFO.MR_POOL", "$JS.API.STREAM.INFO.MR_POOL_D",
                "$JS.API.STREAM.MSG.GET.MR_POOL", "$JS.API.STREAM.MSG.GET.MR_POOL_D",
                "$JS.API.STREAM.MSG.DELETE.MR_POOL", "$JS.API.STREAM.MSG.DELETE.MR_POOL_D",
                "$JS.API.CONSUMER.DURABLE.CREATE.MR_POOL.*", "$JS.API.CONSUMER.INFO.MR_POOL.*",
                "$JS.API.CONSUMER.DELETE.MR_POOL.*"]
      subscribe: ["_M.master.>", "mr.POOL.hb.*", "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.MR_POOL.*"] } }
  { user: operator, password: $OPERATOR_PASSWORD, permissions: {
      publish: ["mr.POOL.t.>", "mr.POOL.who", "$JS.API.INFO", "$JS.API.STREAM.INFO.>", "$JS.API.STREAM.MSG.GET.>",
                "$JS.API.STREAM.MSG.DELETE.>", "$JS.API.STREAM.DELETE.>", "$JS.API.CONSUMER.INFO.>"]
      subscribe: ["_M.operator.>"] } }
] }
)";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

Result<void> make_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), S_IRWXU) == 0) return {};
  const std::error_code error(errno, std::generic_category());
  return fail(ErrorCode::io, fmt::format("cannot make the folder: {}", error.message()),
              path.string());
}

Result<void> write_private(const fs::path& path, std::string_view text) {
  return file::write_file(path, text, {.owner_only = true});
}

// A user of the server, and what it signs with; the operator signs nothing.
struct Role {
  std::string name;
  std::string inbox;
  const char* variable = nullptr;  // its password in kAuthorization
  Secret password{};
  Secret seed{};
  std::string trusted{};  // a public key
};

Result<std::vector<Role>> make_roles() {
  std::vector<Role> roles{{"worker", "_W", "$WORKER_PASSWORD"},
                          {"master", "_M.master", "$MASTER_PASSWORD"},
                          {"operator", "_M.operator", "$OPERATOR_PASSWORD"}};
  for (Role& role : roles) {
    auto password = Secret::random();
    if (!password) return fail(password);
    role.password = *std::move(password);
  }
  // Workers and masters trust each other.
  for (auto [role, peer] : {std::pair(&roles[0], &roles[1]), std::pair(&roles[1], &roles[0])}) {
    auto seed = make_seed();
    if (!seed) return fail(seed);
    auto open = public_key_of(*seed);
    if (!open) return fail(open);
    role->seed = *std::move(seed);
    peer->trusted = *std::move(open);
  }
  return roles;
}

std::string server_host(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

Result<void> write_role(const fs::path& folder, const ClusterFolderOptions& options,
                        const Role& role, const std::string& authority) {
  std::string access = fmt::format(
      "# --cluster THIS-FOLDER: options of the command line, files seen from here.\n"
      "cluster = tls://{}:{}\npool = {}\nuser = {}\npassword-file = password\n"
      "tls-ca = ca.pem\ninbox-prefix = {}\n",
      server_host(options.address), options.port, options.pool, role.name, role.inbox);
  if (!role.seed.empty()) access += "sign-key = sign.key\ntrusted-keys = trusted.keys\n";
  std::vector<std::pair<const char*, std::string>> files{
      {"access", access}, {"ca.pem", authority}, {"password", role.password.reveal() + "\n"}};
  if (!role.seed.empty()) {
    files.emplace_back("sign.key", role.seed.reveal() + "\n");
    files.emplace_back("trusted.keys", role.trusted + "\n");
  }
  if (auto made = make_folder(folder / role.name); !made) return made;
  for (const auto& [name, text] : files) {
    if (auto written = write_private(folder / role.name / name, text); !written) return written;
  }
  return {};
}

Result<void> write_server(const fs::path& folder, const ClusterFolderOptions& options,
                          const std::vector<Role>& roles, const detail::SelfSigned& identity) {
  std::string authorization = replaced(std::string(kAuthorization), "POOL", options.pool);
  for (const Role& role : roles) {
    authorization = replaced(std::move(authorization), role.variable,
                             fmt::format("\"{}\"", role.password.reveal()));
  }
  const std::string text = fmt::format(
      "# nats-server -c server.conf -sd STORE, started in this folder.\n"
      "listen: \"{}:{}\"\nmax_payload: 8MB\njetstream: enabled\n"
      "tls {{ cert_file: \"certificate.pem\", key_file: \"key.pem\" }}\n{}",
      server_host(options.listen), options.port, authorization);
  if (auto made = make_folder(folder); !made) return made;
  if (auto done = write_private(folder / "server.conf", text); !done) return done;
  if (auto done = write_private(folder / "certificate.pem", identity.certificate); !done)
    return done;
  return write_private(folder / "key.pem", identity.key.reveal());
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
  if (auto made = make_folder(folder); !made) return made;
  auto written = write_server(folder / "server", options, *roles, *identity);
  for (const Role& role : *roles) {
    if (written) written = write_role(folder, options, role, identity->certificate);
  }
  if (!written) fs::remove_all(folder, ignored);  // a part of it is of no use, and in the way
  return written;
}

}  // namespace artel::cluster
