#include "artel/file/system_failure.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

#include "artel/core/error.hpp"

namespace artel::file {

tl::unexpected<Error> system_failure(std::string_view action, std::string where) {
  const std::error_code reason(errno, std::generic_category());
  return fail(ErrorCode::io, fmt::format("cannot {}: {}", action, reason.message()),
              std::move(where));
}

}  // namespace artel::file
