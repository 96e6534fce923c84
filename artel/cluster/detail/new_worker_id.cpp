#include "artel/cluster/detail/new_worker_id.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "artel/cluster/protocol/subjects.hpp"

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
  // Counted, so that no two of a process are equal; from anywhere, for processes of one host and
  // pid.
  static std::atomic<std::uint32_t> next = std::random_device()();
  return fmt::format("{}-{}-{:08x}", host, getpid(), next.fetch_add(1, std::memory_order_relaxed));
}

}  // namespace artel::cluster::detail
