#pragma once

#include <filesystem>
#include <optional>

namespace artel {

/// How much processor this process may use.
struct CpuQuota {
  unsigned affinity = 1;  ///< logical processors that the scheduler may put us on
  std::optional<double>
      cgroup;  ///< processors that the control group allows (v1 or v2), if it limits

  /// The number of workers that can run at once: the smaller of both, quota rounded up, at least 1.
  [[nodiscard]] unsigned usable() const;
};

/// Reads the affinity mask and the cgroup limits of this process; the tightest limit of all
/// ancestors counts. `root` is the file system to read /proc and /sys from. Never fails: what
/// cannot be read does not limit.
[[nodiscard]] CpuQuota read_cpu_quota(const std::filesystem::path& root = "/");

/// `read_cpu_quota().usable()`: the default number of workers.
[[nodiscard]] unsigned usable_cpus();

}  // namespace artel
