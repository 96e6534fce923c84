#include "artel/cluster/cluster_flags.hpp"

#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_bytes.hpp"
#include "artel/dispatch/policy_text.hpp"
#include "artel/file/read_text_file.hpp"

namespace artel::cluster {
namespace {

constexpr const char* kHelpGroup = "Cluster";
constexpr std::uint64_t kAccessBytesMax = 65'536;
constexpr double kLimitBytesMax = 1e18;
constexpr std::string_view kNoLimit = "none";
constexpr const char* kPasswordVariable = "ARTEL_CLUSTER_PASSWORD";
constexpr const char* kTokenVariable = "ARTEL_CLUSTER_TOKEN";

Result<Secret> take_secret(const std::string& file, const char* variable) {
  auto secret = Secret::take_from_environment(variable);
  if (file.empty()) return secret;
  return Secret::from_file(file);
}

// What the flag says; nothing: as it is.
Result<void> read_time(const std::string& text, const char* flag, Duration& time) {
  if (text.empty()) return {};
  const auto read = parse_duration(text);
  if (!read) return fail(read.error().code, read.error().what, flag);
  time = *read;
  return {};
}

// The same; none is 0.
Result<void> read_limit(const std::string& text, const char* flag, std::int64_t& limit) {
  if (text.empty()) return {};
  if (text == kNoLimit) {
    limit = 0;
    return {};
  }
  const auto bytes = parse_bytes(text);
  if (!bytes) return fail(bytes.error().code, bytes.error().what, flag);
  if (*bytes < 1 || *bytes > kLimitBytesMax) {
    return fail(ErrorCode::invalid, fmt::format("found {}; allowed: 1B to 1EB, or none", text),
                flag);
  }
  limit = static_cast<std::int64_t>(*bytes);
  return {};
}

}  // namespace

std::vector<FlagSpec> flag_specs(ClusterFlags& flags, const std::string& help) {
  const auto flag = [](const char* name, std::string& value, const std::string& text,
                       const char* type, bool default_shown = false) {
    return FlagSpec{.names = name,
                    .value = &value,
                    .help = text,
                    .type = type,
                    .group = kHelpGroup,
                    .default_shown = default_shown};
  };
  return {
      flag("--cluster", flags.servers, help, "URL"),
      flag("--pool", flags.pool, "Masters and workers of one name belong together", "NAME", true),
      flag("--user", flags.user,
           "User; the password comes from --password-file or $ARTEL_CLUSTER_PASSWORD", "NAME"),
      flag("--password-file", flags.password_file, "Its first line is the password", "FILE"),
      flag("--token-file", flags.token_file,
           "Its first line is the token; or it comes from $ARTEL_CLUSTER_TOKEN", "FILE"),
      flag("--credentials", flags.credentials, "Credentials made by nsc", "FILE"),
      flag("--nkey", flags.nkey, "Its first line is the seed of a user's nkey", "FILE"),
      flag("--tls-ca", flags.authority, "Whom to trust (PEM); TLS is required then", "FILE"),
      flag("--tls-cert", flags.certificate, "Our certificate (PEM)", "FILE"),
      flag("--tls-key", flags.key, "Its key (PEM)", "FILE"),
      flag("--sign-key", flags.sign_key, "Sign what is sent with this key (artel cluster key)",
           "FILE"),
      flag("--trusted-keys", flags.trusted_keys,
           "Take only what one of these public keys has signed", "FILE"),
      flag("--master-keys", flags.master_keys,
           "Take orders only from these of them; default: from all", "FILE"),
      flag("--inbox-prefix", flags.inbox_prefix, "Answers come below this subject", "SUBJECT",
           true)};
}

std::vector<FlagSpec> flag_specs(QueueFlags& flags) {
  return {
      {.names = "--policy",
       .value = &flags.policy,
       .help = "A queue for every worker, filled by this policy, like least_loaded or "
               "'jsq(d=3)'; default: one queue for all",
       .type = "POLICY",
       .group = kHelpGroup},
      {.names = "--per-worker",
       .value = &flags.per_worker,
       .help = "With --policy: at a worker of one thread at most; one more for each other thread",
       .group = kHelpGroup,
       .most = 1000,
       .default_shown = true},
      {.names = "--needs",
       .value = &flags.needs,
       .help = "Only workers with these tags: gpu, host:lab7, what 'artel worker --tags' says",
       .type = "TAG,…",
       .group = kHelpGroup},
      {.names = "--lease",
       .value = &flags.lease,
       .help = "A chunk whose worker says nothing for so long goes to another one; default: 3s",
       .type = "TIME",
       .group = kHelpGroup},
      {.names = "--tries",
       .value = &flags.tries,
       .help = "Deliveries of a chunk that fails, or whose workers are lost",
       .group = kHelpGroup,
       .most = QueueOptions::kTriesMax,
       .default_shown = true},
      {.names = "--replicas",
       .value = &flags.replicas,
       .help = "Servers that keep what waits, where the pool's queue is made: 1, 3 or 5",
       .group = kHelpGroup,
       .most = 5,
       .default_shown = true},
      {.names = "--queue-bytes",
       .value = &flags.queue_bytes,
       .help = "What may wait in the queue that is made; none: without limit; default: 1GiB",
       .type = "SIZE",
       .group = kHelpGroup},
      {.names = "--dead-bytes",
       .value = &flags.dead_bytes,
       .help = "Dead letters that are kept beside it, the newest; none: all; default: 100MB",
       .type = "SIZE",
       .group = kHelpGroup},
      {.names = "--dead-age",
       .value = &flags.dead_age,
       .help = "And for how long; none: for ever; default: 30d",
       .type = "TIME",
       .group = kHelpGroup}};
}

std::vector<std::string> tags_after_commas(std::string_view text) {
  std::vector<std::string> tags;
  while (!text.empty()) {
    const auto comma = text.find(',');
    tags.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return tags;
}

Result<QueueOptions> queue_options(const QueueFlags& flags) {
  QueueOptions options{.replicas = flags.replicas,
                       .tries = flags.tries,
                       .per_worker = flags.per_worker,
                       .needs = tags_after_commas(flags.needs)};
  if (auto read = read_time(flags.lease, "--lease", options.lease); !read) return fail(read);
  if (auto read = read_limit(flags.queue_bytes, "--queue-bytes", options.bytes_max); !read)
    return fail(read);
  if (auto read = read_limit(flags.dead_bytes, "--dead-bytes", options.dead_bytes_max); !read)
    return fail(read);
  if (flags.dead_age == kNoLimit) {
    options.dead_age_max = {};
  } else if (auto read = read_time(flags.dead_age, "--dead-age", options.dead_age_max); !read) {
    return fail(read);
  }
  if (!flags.policy.empty()) {
    auto policy = dispatch::parse_policy(flags.policy);
    if (!policy) return fail(policy.error().code, policy.error().what, "--policy " + flags.policy);
    options.dispatch = *std::move(policy);
  }
  if (const auto checked = check(options); !checked) return fail(checked);
  return options;
}

Result<void> take_folder(ClusterFlags& flags) {
  const bool is_folder = flags.servers.find('/') != std::string::npos &&
                         flags.servers.find("://") == std::string::npos;
  if (!is_folder) return {};
  const std::filesystem::path folder = flags.servers;
  const std::string file = (folder / "access").string();
  auto text = file::read_text_file(file, kAccessBytesMax);
  if (!text) return fail(text);
  ClusterFlags said;
  const auto names = flag_specs(said, "");
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const auto equals = line.find(" = ");
    const auto spec = std::ranges::find(names, "--" + line.substr(0, equals), &FlagSpec::names);
    if (equals == std::string::npos || spec == names.end()) {
      return fail(ErrorCode::parse,
                  fmt::format("found '{}'; expected a flag and its value: pool = films", line),
                  fmt::format("{}:{}", file, number));
    }
    const std::string value = line.substr(equals + 3);
    *std::get<std::string*>(spec->value) = spec->type == "FILE" ? (folder / value).string() : value;
  }
  flags.servers.clear();
  ClusterFlags unsaid;
  const auto given = flag_specs(flags, "");
  const auto initial = flag_specs(unsaid, "");
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::string& value = *std::get<std::string*>(given[i].value);
    if (value == *std::get<std::string*>(initial[i].value))
      value = *std::get<std::string*>(names[i].value);
  }
  return {};
}

Result<ClusterOptions> cluster_options(const ClusterFlags& given) {
  ClusterFlags flags = given;
  if (auto taken = take_folder(flags); !taken) return fail(taken);
  if (flags.servers.empty()) {
    return fail(ErrorCode::invalid, "which cluster? Give its servers, nats://host:port",
                "--cluster");
  }
  if (has_user_part(flags.servers)) {
    return fail(ErrorCode::invalid,
                "what stands before '@' would be seen by everybody on this machine: use --user "
                "with --password-file, --token-file, or the environment",
                "--cluster");
  }
  auto options = parse_servers(flags.servers);
  if (!options) return options;
  options->pool = flags.pool;
  options->user = flags.user;
  auto password = take_secret(flags.password_file, kPasswordVariable);
  if (!password) return fail(password);
  options->password = *std::move(password);
  auto token = take_secret(flags.token_file, kTokenVariable);
  if (!token) return fail(token);
  options->token = *std::move(token);
  options->credentials = flags.credentials;
  options->nkey = flags.nkey;
  options->tls = {.authority = flags.authority, .certificate = flags.certificate, .key = flags.key};
  options->sign_key = flags.sign_key;
  options->trusted_keys = flags.trusted_keys;
  options->master_keys = flags.master_keys;
  options->inbox_prefix = flags.inbox_prefix;
  if (const auto checked = check(*options); !checked) return fail(checked);
  return options;
}

}  // namespace artel::cluster
