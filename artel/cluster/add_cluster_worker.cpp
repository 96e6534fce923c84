#include "artel/cluster/add_cluster_worker.hpp"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/detail/cluster_role.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/file/read_text_file.hpp"

namespace artel::cluster {
namespace {

namespace fs = std::filesystem;
using detail::ClusterRole;

constexpr std::uint64_t kRoleFileBytes = 1'000'000;
constexpr std::size_t kWorkerNameMax = 40;
constexpr std::string_view kUser = "\n  { user: ";  // how each user begins

// Files that change together: all are read before any is written.
class Files {
 public:
  explicit Files(fs::path folder) : folder_(std::move(folder)) {}

  // The text of a file, to be changed; the same at each call.
  Result<std::string*> text(const std::string& name) {
    for (auto& [known, content] : files_) {
      if (known == name) return &content;
    }
    auto read = file::read_text_file(folder_ / name, kRoleFileBytes, file::ReadFor::update);
    if (!read) return fail(read);
    return &files_.emplace_back(name, *std::move(read)).second;
  }
  // A file that is not there yet.
  void add(const std::string& name, std::string text) {
    files_.emplace_back(name, std::move(text));
  }
  [[nodiscard]] Result<void> write() const {
    for (const auto& [name, content] : files_) {
      if (auto written = detail::write_private(folder_ / name, content); !written) return written;
    }
    return {};
  }

 private:
  fs::path folder_;
  std::list<std::pair<std::string, std::string>> files_;
};

std::string user_of(const std::string& name) { return name == "worker" ? name : "worker-" + name; }

fs::path folder_of(const fs::path& folder, const std::string& name) {
  return name == "worker" ? folder / name : folder / "workers" / name;
}

// Where what the configuration says of this user begins, after the line break; npos: nowhere.
std::size_t user_in(const std::string& configuration, const std::string& user) {
  const auto at = configuration.find(fmt::format("{}{},", kUser, user));
  return at == std::string::npos ? at : at + 1;
}

Result<void> foreign(const fs::path& folder) {
  return fail(ErrorCode::invalid,
              "it is not as 'artel cluster configure' writes it: no line begins with '  { user: "
              "master,'; add or remove the user there by hand",
              (folder / "server" / "server.conf").string());
}

// In an older folder nobody knows the keys of masters but workers, and the operator knows none.
Result<void> give_keys(const fs::path& folder, Files& files) {
  for (const std::string role : {"master", "operator"}) {
    if (fs::exists(folder / role / "masters.keys")) continue;
    const auto access = files.text(role + "/access");
    if (!access) return fail(access);
    const auto workers = files.text("master/trusted.keys");
    if (!workers) return fail(workers);
    const auto masters = files.text("worker/trusted.keys");
    if (!masters) return fail(masters);
    **access += "master-keys = masters.keys\n";
    files.add(role + "/masters.keys", **masters);
    if (role == "master") continue;
    **access += "trusted-keys = trusted.keys\n";
    files.add("operator/trusted.keys", **workers);
  }
  return {};
}

// The lines that are of this key, or say that they are of this user.
void remove_keys(std::string& keys, const std::string& key, const std::string& user) {
  std::string kept;
  std::istringstream lines(keys);
  for (std::string line; std::getline(lines, line);) {
    const bool of_it = (!key.empty() && line.starts_with(key)) || line.ends_with(" " + user);
    if (!of_it) kept += line + '\n';
  }
  keys = kept;
}

constexpr std::array kTrusting{"master/trusted.keys", "operator/trusted.keys"};

}  // namespace

Result<fs::path> add_cluster_worker(const fs::path& folder, const std::string& name) {
  fs::path place = folder_of(folder, name);
  if (!is_subject_token(name) || name.size() > kWorkerNameMax || name == "worker") {
    return fail(
        ErrorCode::invalid,
        fmt::format("'{}' is no name of a worker: 1 to {} letters, digits, '-' and '_', but "
                    "not 'worker'",
                    name, kWorkerNameMax));
  }
  if (fs::exists(place)) {
    return fail(ErrorCode::invalid, "there is such a worker already", place.string());
  }
  // Not from a file that may change, which is no input.
  const bool has_first = fs::exists(folder / "worker");
  ClusterFlags flags{.servers = (folder / (has_first ? "worker" : "master")).string()};
  if (auto taken = take_folder(flags); !taken) return fail(taken);
  Files files(folder);
  const auto configuration = files.text("server/server.conf");
  if (!configuration) return fail(configuration);
  const auto master = user_in(**configuration, "master");
  if (master == std::string::npos) return fail(foreign(folder));
  if (auto given = give_keys(folder, files); !given) return fail(given);
  const auto authority = file::read_text_file(folder / "master" / "ca.pem", kRoleFileBytes);
  if (!authority) return fail(authority);
  const auto masters = files.text("operator/masters.keys");
  if (!masters) return fail(masters);

  ClusterRole role{
      .name = user_of(name), .inbox = "_W." + user_of(name), .signs = true, .trusted = **masters};
  if (auto made = detail::make_secrets(role); !made) return fail(made);
  const std::string password = fmt::format("\"{}\"", role.password.reveal());
  (*configuration)->insert(master, detail::worker_user(role, flags.pool, password));
  for (const char* trusting : kTrusting) {
    const auto keys = files.text(trusting);
    if (!keys) return fail(keys);
    **keys += detail::trusted_line(role);
  }
  std::error_code ignored;
  fs::create_directory(folder / "workers", ignored);
  fs::permissions(folder / "workers", fs::perms::owner_all, ignored);
  auto written = detail::write_role(place, role, flags.servers, flags.pool, *authority);
  if (written) written = files.write();
  if (!written) {
    fs::remove_all(place, ignored);
    return fail(written);
  }
  return place;
}

Result<void> revoke_cluster_worker(const fs::path& folder, const std::string& name) {
  fs::path place = folder_of(folder, name);
  Files files(folder);
  const auto configuration = files.text("server/server.conf");
  if (!configuration) return fail(configuration);
  const auto user = user_in(**configuration, user_of(name));
  if (!is_subject_token(name) || user == std::string::npos) {
    return fail(ErrorCode::not_found, fmt::format("there is no worker '{}'", name),
                folder.string());
  }
  const auto next = (*configuration)->find(kUser, user);
  if (next == std::string::npos) return foreign(folder);
  (*configuration)->erase(user, next + 1 - user);
  if (auto given = give_keys(folder, files); !given) return given;
  std::string key;
  if (const auto seed = Secret::from_file(place / "sign.key"))
    key = public_key_of(*seed).value_or("");
  for (const char* trusting : kTrusting) {
    const auto keys = files.text(trusting);
    if (!keys) return fail(keys);
    remove_keys(**keys, key, user_of(name));
  }
  if (auto written = files.write(); !written) return written;
  std::error_code ignored;
  fs::remove_all(place, ignored);
  return {};
}

}  // namespace artel::cluster
