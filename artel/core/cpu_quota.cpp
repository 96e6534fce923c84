#include "artel/core/cpu_quota.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

namespace artel {
namespace {

namespace fs = std::filesystem;

unsigned affinity_count() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1U, std::thread::hardware_concurrency());
}

std::optional<double> read_number(const fs::path& file) {
  std::ifstream in(file);
  double number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

// cgroup v2, cpu.max: "<quota|max> <period>".
std::optional<double> limit_v2(const fs::path& group) {
  std::ifstream in(group / "cpu.max");
  double quota = 0, period = 0;
  if (in >> quota >> period && quota > 0 && period > 0) return quota / period;
  return std::nullopt;
}

// cgroup v1: quota is -1 when there is no limit.
std::optional<double> limit_v1(const fs::path& group) {
  const auto quota = read_number(group / "cpu.cfs_quota_us");
  const auto period = read_number(group / "cpu.cfs_period_us");
  if (quota && period && *quota > 0 && *period > 0) return *quota / *period;
  return std::nullopt;
}

using ReadLimit = std::optional<double> (*)(const fs::path&);

// A limit on any ancestor holds for us as well.
void tighten(std::optional<double>& tightest, const fs::path& mount, const std::string& group,
             ReadLimit read_limit) {
  for (fs::path path = fs::path(group).relative_path();; path = path.parent_path()) {
    if (const auto limit = read_limit(mount / path)) {
      tightest = tightest ? std::min(*tightest, *limit) : *limit;
    }
    if (path.empty()) break;
  }
}

bool names_cpu(const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string controller; std::getline(list, controller, ',');) {
    if (controller == "cpu") return true;
  }
  return false;
}

}  // namespace

unsigned CpuQuota::usable() const {
  const double limit = cgroup ? std::ceil(*cgroup) : affinity;
  return std::max(1U, static_cast<unsigned>(std::min<double>(limit, affinity)));
}

CpuQuota read_cpu_quota(const fs::path& root) {
  CpuQuota quota{.affinity = affinity_count(), .cgroup = {}};
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "<id>:<controllers>:<group>"
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto group = line.substr(second + 1);
    if (controllers.empty()) {
      tighten(quota.cgroup, root / "sys/fs/cgroup", group, limit_v2);
    } else if (names_cpu(controllers)) {
      tighten(quota.cgroup, root / "sys/fs/cgroup/cpu", group, limit_v1);
    }
  }
  return quota;
}

unsigned usable_cpus() { return read_cpu_quota().usable(); }

}  // namespace artel
