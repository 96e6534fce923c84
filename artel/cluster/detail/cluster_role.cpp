#include "artel/cluster/detail/cluster_role.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/file/write_file.hpp"

namespace artel::cluster::detail {
namespace {

namespace fs = std::filesystem;

// docs/cluster-security.md explains it.
constexpr std::string_view kWorkerUser =
    R"(  { user: <USER>, password: <PASSWORD>, permissions: {
      publish: ["$JS.API.CONSUMER.MSG.NEXT.MR_<POOL>.>", "$JS.API.CONSUMER.INFO.MR_<POOL>.>", "$JS.ACK.MR_<POOL>.>",
                "mr.<POOL>.hb.*", "mr.<POOL>.d.>", "_M.>"]
      subscribe: ["<INBOX>.>", "mr.<POOL>.who"] } }
)";

}  // namespace

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

Result<void> make_private_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), S_IRWXU) == 0) return {};
  const std::error_code error(errno, std::generic_category());
  return fail(ErrorCode::io, fmt::format("cannot make the folder: {}", error.message()),
              path.string());
}

Result<void> write_private(const fs::path& path, std::string_view text) {
  return file::write_file(path, text, {.owner_only = true});
}

Result<void> make_secrets(ClusterRole& role) {
  auto password = Secret::random();
  if (!password) return fail(password);
  role.password = *std::move(password);
  if (!role.signs) return {};
  auto seed = make_seed();
  if (!seed) return fail(seed);
  if (const auto open = public_key_of(*seed); !open) return fail(open);
  role.seed = *std::move(seed);
  return {};
}

std::string trusted_line(const ClusterRole& role) {
  const auto open = public_key_of(role.seed);
  ARTEL_REQUIRE(open.has_value(), "a role that signs has a key", role.name);
  return fmt::format("{} {}\n", *open, role.name);
}

std::string worker_user(const ClusterRole& worker, std::string_view pool,
                        std::string_view password) {
  std::string text = replaced(std::string(kWorkerUser), "<POOL>", pool);
  text = replaced(std::move(text), "<INBOX>", worker.inbox);
  text = replaced(std::move(text), "<USER>", worker.name);
  return replaced(std::move(text), "<PASSWORD>", password);
}

Result<void> write_role(const fs::path& folder, const ClusterRole& role, std::string_view server,
                        std::string_view pool, const std::string& authority) {
  std::string access = fmt::format(
      "# --cluster THIS-FOLDER: options of the command line, files seen from here.\n"
      "cluster = {}\npool = {}\nuser = {}\npassword-file = password\n"
      "tls-ca = ca.pem\ninbox-prefix = {}\ntrusted-keys = trusted.keys\n",
      server, pool, role.name, role.inbox);
  if (role.signs) access += "sign-key = sign.key\n";
  if (!role.masters.empty()) access += "master-keys = masters.keys\n";
  std::vector<std::pair<const char*, std::string>> files{
      {"access", access},
      {"ca.pem", authority},
      {"password", role.password.reveal() + "\n"},
      {"trusted.keys", role.trusted}};
  if (role.signs) files.emplace_back("sign.key", role.seed.reveal() + "\n");
  if (!role.masters.empty()) files.emplace_back("masters.keys", role.masters);
  if (auto made = make_private_folder(folder); !made) return made;
  for (const auto& [name, text] : files) {
    if (auto written = write_private(folder / name, text); !written) return written;
  }
  return {};
}

}  // namespace artel::cluster::detail
