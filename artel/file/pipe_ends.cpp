#include "artel/file/pipe_ends.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <tl/expected.hpp>

#include "artel/file/open_file.hpp"

namespace artel::file {

tl::expected<PipeEnds, std::error_code> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return tl::unexpected(std::error_code(errno, std::generic_category()));
  return PipeEnds{OpenFile(ends[0]), OpenFile(ends[1])};
}

}  // namespace artel::file
