#include "artel/cluster/detail/new_worker_id.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>

#include "artel/cluster/cluster_options.hpp"

namespace artel::cluster::detail {

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string new_worker_id() {
  std::string host = host_name().substr(0, 32);
  std::ranges::replace_if(
      host, [](char c) { return !is_subject_token(std::string_view(&c, 1)); }, '-');
  std::random_device entropy;
  return fmt::format("{}-{}-{:04x}", host, getpid(), entropy() & 0xffffU);
}

}  // namespace artel::cluster::detail
