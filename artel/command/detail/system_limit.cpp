#include "artel/command/detail/system_limit.hpp"

#include <fmt/core.h>
#include <sys/resource.h>

#include <string>
#include <system_error>

namespace artel::command::detail {

std::string system_limit(std::error_code error) {
  const auto most = [](auto resource) -> std::string {
    rlimit limit{};
    const bool known = ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return known ? std::to_string(limit.rlim_cur) : "the system's number of";
  };
  if (error == std::errc::too_many_files_open) {
    return fmt::format("a process may have {} files open (ulimit -n), and a job needs {}",
                       most(RLIMIT_NOFILE), "about 16");
  }
  if (error == std::errc::too_many_files_open_in_system) {
    return "the system has as many files open as it may (fs.file-max)";
  }
  if (error == std::errc::resource_unavailable_try_again) {
    return fmt::format("this user may have {} processes (ulimit -u)", most(RLIMIT_NPROC));
  }
  return error == std::errc::not_enough_memory ? "the system has no memory for a process" : "";
}

bool is_transient(std::error_code error) {
  return error == std::errc::resource_unavailable_try_again ||
         error == std::errc::not_enough_memory || error == std::errc::too_many_files_open ||
         error == std::errc::too_many_files_open_in_system;
}

}  // namespace artel::command::detail
